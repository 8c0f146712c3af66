"""The peers of the benchmark: nginx as the upstream, as a plain proxy, and with Lua doing the whole job."""
import json
import os
import shutil
import subprocess
import tempfile

from support.client import connect
from support.gateway import eventually
from support.upstream import free_port

MODULES = ('ndk_http_module', 'ngx_http_lua_module')
FOLDER = '/usr/lib/nginx/modules'

HEAD = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 20000;
{modules}
events {{ worker_connections 16000; }}
http {{
  access_log off; server_tokens off; keepalive_requests 1000000000; keepalive_timeout 600s;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
"""

GOODS = {'goods_id': 140, 'goods_name': '手机 X', 'price': '10.10', 'items': [
    {'id': 9007199254740993 + n, 'sku': f'SKU-{n:04}', 'title': 'A product of the shop', 'stock': n} for n in range(12)]}
ENVELOPE = json.dumps({'status': 1, 'msg': 'ok', 'result': GOODS}, ensure_ascii=False, separators=(',', ':'))
LOGIN = json.dumps({'status': 1, 'msg': 'ok', 'result': {
    'token': '4a5b7c0d1e2f30415263748596a7b8c9', 'user_id': '2591'}}, separators=(',', ':'))
SMALL = '{"id":140,"name":"a product","price":"10.10","stock":7,"tags":["a","b","c"],"sold":1024}'

UPSTREAM = """
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ default_type application/json; return 200 '{small}'; }}
    location = /index.php {{
      default_type "text/html;charset=utf-8";
      if ($arg_a = login) {{ return 200 '{login}'; }}
      return 200 '{envelope}';
    }}
  }}
}}
"""

PASS = """
  upstream up {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 1000000000; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }}
  }}
}}
"""

# The whole job as one writes it for nginx: the edits before proxy_pass, the envelope in the body filter. The variant
# with ngx.location.capture costs more, so this is the better peer.
LUA = """
  upstream up {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 1000000000; }}
  lua_package_path "/usr/share/lua/5.1/?.lua;;";
  lua_package_cpath "/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;/usr/lib/aarch64-linux-gnu/lua/5.1/?.so;;";
  init_by_lua_block {{
    cjson = require "cjson"
    session = {{ token = "4a5b7c0d1e2f30415263748596a7b8c9", user_id = "2591" }}
    key = "tpshop2"
  }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    client_body_buffer_size 64k; client_body_in_single_buffer on; proxy_buffer_size 16k; proxy_buffers 8 16k;
    location /api/ {{
      set $target "";
      rewrite_by_lua_block {{
        local controller, action = ngx.var.uri:match("^/api/([^/]+)/([^/]+)$")
        ngx.req.read_body()
        local form = ngx.req.get_post_args()
        form.time, form.sign = nil, nil
        form.token, form.user_id = session.token, session.user_id
        local names = {{}}
        for name in pairs(form) do names[#names + 1] = name end
        table.sort(names)
        local values = {{}}
        for index, name in ipairs(names) do values[index] = form[name] end
        form.time = tostring(ngx.time())
        form.sign = ngx.md5(table.concat(values) .. form.time .. key)
        ngx.req.set_body_data(ngx.encode_args(form))
        ngx.var.target = "/index.php?m=Api&c=" .. controller .. "&a=" .. action
      }}
      proxy_pass http://up$target; proxy_http_version 1.1; proxy_set_header Connection "";
      header_filter_by_lua_block {{
        ngx.header.content_length = nil
        ngx.header.content_type = "application/json; charset=utf-8"
      }}
      body_filter_by_lua_block {{
        local held = ngx.ctx.held
        if not ngx.arg[2] then
          ngx.ctx.held = (held or "") .. ngx.arg[1]
          ngx.arg[1] = nil
          return
        end
        local document = cjson.decode((held or "") .. ngx.arg[1])
        local status = tonumber(document.status)
        if status == -100 or status == -101 or status == -102 then ngx.ctx.expired = true end
        ngx.arg[1] = cjson.encode({{
          success = status > 0, code = document.status, message = document.msg, data = document.result }})
      }}
    }}
  }}
}}
"""


class Nginx:
    """One nginx with one worker on a free port."""

    def __init__(self, body, *, lua=False, **values):
        self.folder = tempfile.mkdtemp(prefix='countersign-bench-')
        self.port = free_port()
        modules = '\n'.join(f'load_module {FOLDER}/{name}.so;' for name in MODULES) if lua else ''
        path = os.path.join(self.folder, 'nginx.conf')
        with open(path, 'w') as file:
            file.write(HEAD.format(folder=self.folder, modules=modules) + body.format(port=self.port, **values))
        self.process = subprocess.Popen(['nginx', '-c', path, '-e', self.folder + '/error.log'], stdin=subprocess.DEVNULL)
        self.address = f'127.0.0.1:{self.port}'

        def listens():
            if self.process.poll() is not None:
                with open(self.folder + '/error.log') as log:
                    raise SystemExit('nginx did not start: ' + log.read())
            try:
                connect(self.address).close()
                return True
            except OSError:
                return False
        eventually(listens, 5, 'nginx')

    def pids(self):
        """The worker: the master does nothing."""
        with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children') as file:
            return [int(pid) for pid in file.read().split()]

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def upstream():
    return Nginx(UPSTREAM, small=SMALL, login=LOGIN, envelope=ENVELOPE)


def plain_proxy(port):
    return Nginx(PASS, upstream=port)


def lua_proxy(port):
    return Nginx(LUA, lua=True, upstream=port)
