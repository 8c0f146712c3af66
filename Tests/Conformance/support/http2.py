"""An HTTP/2 upstream: nginx, since the standard library speaks no HTTP/2."""
import os
import shutil
import subprocess
import tempfile

from support.client import connect
from support.gateway import eventually
from support.upstream import free_port

CONFIG = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port} ssl http2; ssl_certificate {certificate}; ssl_certificate_key {key};
    location / {{ return 200 "$server_protocol"; }}
  }}
}}
"""


class nginx_http2:  # noqa: N801 (reads as a function)
    def __init__(self, certificate, key):
        self.folder = tempfile.mkdtemp(prefix='countersign-h2-')
        self.port = free_port()
        path = os.path.join(self.folder, 'nginx.conf')
        with open(path, 'w') as file:
            file.write(CONFIG.format(folder=self.folder, port=self.port, certificate=certificate, key=key))
        self.process = subprocess.Popen(['nginx', '-c', path, '-e', self.folder + '/error.log'], stdin=subprocess.DEVNULL)

        def listens():
            try:
                connect(f'127.0.0.1:{self.port}').close()
                return True
            except OSError:
                return False
        eventually(listens, 5, 'the HTTP/2 upstream')

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
