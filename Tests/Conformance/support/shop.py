"""An independent TPshop upstream: signature, clock and token checks as the PHP server does them, with counters.

It runs on one asyncio loop in a thread of its own, so that a thousand requests can be held at once.
"""
import asyncio
import collections
import functools
import hashlib
import http
import itertools
import json
import threading
import time
import urllib.parse

KEY, USER, PASSWORD = 'tpshop2', '13800138006', 'demo-password'
EXEMPT = {'getservertime', 'getconfig', 'alipaynotify', 'goodslist', 'search'}
TOKEN_ACTIONS = {
    ('payment', 'alipaynotify'), *(('user', name) for name in (
        'userinfo', 'updateuserinfo', 'password', 'getaddresslist', 'addaddress', 'del_address', 'setdefaultaddress',
        'getcouponlist', 'getgoodscollect', 'getorderlist', 'getorderdetail', 'cancelorder', 'orderconfirm',
        'add_comment', 'account', 'return_goods_list', 'return_goods_info', 'return_goods_status', 'return_goods')),
    ('cart', 'cart2'), ('cart', 'cart3'), ('goods', 'collectgoods')}


def php_form(body):
    """$_POST of a urlencoded body: names mangled, the last of equal names wins, at the place of the first."""
    form = {}
    for piece in body.split('&') if body else []:
        name, _, value = piece.partition('=')
        name = urllib.parse.unquote_plus(name).lstrip(' ')
        value = urllib.parse.unquote_plus(value)
        if not name:
            continue
        base, bracket, _ = name.partition('[')
        base = base.replace('.', '_').replace(' ', '_')
        form[base] = 'Array' if bracket and ']' in name else value
    return form


def _integer_like(name):
    return name == '0' or (name.isascii() and name.isdigit() and name[0] != '0')


def _php_compare(left, right):
    """PHP 8 comparison of two array keys: as numbers when both look like numbers, else as text."""
    if left.isascii() and right.isascii() and left.isdigit() and right.isdigit():
        left, right = int(left), int(right)
    return (left > right) - (left < right)


def php_sign(form, key=KEY, moment=None):
    """The signature and the signed text of a decoded form."""
    names = [name for name in form if name not in ('time', 'sign')]
    names.sort(key=functools.cmp_to_key(_php_compare))
    text = ''.join(form[name] for name in names) + (form.get('time', '') if moment is None else moment) + key
    return hashlib.md5(text.encode()).hexdigest(), text


class Shop:
    """The shop. Switches are plain attributes; counters are read after the answers have come."""

    def __init__(self, key=KEY, user=USER, password=PASSWORD, port=0, window=600):
        self.key, self.user, self.window = key, user, window
        self.password_hash = hashlib.md5(('TPSHOP' + password).encode()).hexdigest()
        self.token = None
        self.tokens = set()
        self.user_id = '2591'
        self.numbers = itertools.count(1)
        self.counters = collections.Counter()
        self.orders = collections.Counter()      # accepted orders by order_id
        self.seen = []                           # (controller, action, form, query) of every request
        self.notice = b''
        self.login_answers = []                  # scripted answers of the next logins: (status, text) or bytes
        self.login_delay = 0.0
        self.down = False
        self.fail = []                           # HTTP statuses of the next answers
        self.result = None                       # raw JSON of the next results
        self.hold_count = 0
        self.held = []
        self.on_held = None
        self.login_gate = None
        self.writers = set()
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.port = port
        threading.Thread(target=self._run, daemon=True).start()
        self.ready.wait(5)
        self.url = f'http://127.0.0.1:{self.port}'

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._listen())
        self.ready.set()
        self.loop.run_forever()

    async def _listen(self):
        self.server = await asyncio.start_server(
            self._serve, '127.0.0.1', self.port, backlog=2048, limit=1 << 22, reuse_address=True)
        self.port = self.server.sockets[0].getsockname()[1]

    def go_away(self):
        """The host is gone: connections are cut, and the port refuses from now on."""
        async def leave():
            self.server.close()
            for writer in list(self.writers):
                writer.transport.abort()
        asyncio.run_coroutine_threadsafe(leave(), self.loop).result(5)

    def come_back(self):
        asyncio.run_coroutine_threadsafe(self._listen(), self.loop).result(5)

    def expire(self):
        """Every token is forgotten: the next use meets -101."""
        self.tokens.clear()

    def other_device(self):
        """Another device logs in: its token replaces ours."""
        self.tokens = {'held-by-another-device'}

    def hold(self, count, then=None):
        """Keeps the next `count` token calls until all have arrived, calls `then`, and lets them go together."""
        def arm():
            self.hold_count, self.held, self.on_held = count, [], then
        self.loop.call_soon_threadsafe(arm)

    def gate_logins(self):
        """Logins wait until open_logins()."""
        self.login_gate = asyncio.Event()

    def open_logins(self):
        self.loop.call_soon_threadsafe(self.login_gate.set)

    async def _serve(self, reader, writer):
        self.writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b'\r\n\r\n')).decode('latin1')
                lines = head.split('\r\n')
                fields = {name.lower(): value.strip() for name, _, value in (x.partition(':') for x in lines[1:])}
                body = await self._body(reader, fields)
                self.counters['requests'] += 1
                if self.down:
                    writer.transport.abort()
                    return
                method, target, _ = lines[0].split(' ')
                writer.write(await self._answer(method, target, fields, body))
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError, ValueError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    @staticmethod
    async def _body(reader, fields):
        if fields.get('transfer-encoding') == 'chunked':
            parts = []
            while size := int((await reader.readline()).split(b';')[0], 16):
                parts.append(await reader.readexactly(size))
                await reader.readexactly(2)
            await reader.readline()
            return b''.join(parts)
        return await reader.readexactly(int(fields.get('content-length', 0)))

    async def _answer(self, method, target, fields, body):
        path, _, query_text = target.partition('?')
        query = dict(urllib.parse.parse_qsl(query_text, keep_blank_values=True))
        parts = [part for part in path.split('/') if part and part != 'index.php']
        controller = query.get('c', parts[1] if len(parts) > 2 else 'Index').lower()
        action = query.get('a', parts[2] if len(parts) > 2 else 'index').lower()
        is_form = fields.get('content-type', '').startswith('application/x-www-form-urlencoded')
        form = php_form(body.decode('latin1').encode('latin1').decode()) if method == 'POST' and is_form else {}
        self.seen.append((controller, action, form, query))
        if self.fail:
            return self._wire(self.fail.pop(0), b'<html>oops</html>')
        refusal = self._check_signature(action, form)
        if refusal:
            self.counters['refused_signatures'] += 1
            return self._json(-1, refusal)
        if (controller, action) == ('user', 'login'):
            return await self._login(form)
        if (controller, action) in TOKEN_ACTIONS:
            return await self._with_token(controller, action, form)
        if action == 'getservertime':
            return self._json(1, 'ok', str(int(time.time())))
        return self._json(1, 'ok', self.result or json.dumps({'action': action, 'form': form}))

    def _check_signature(self, action, form):
        if action in EXEMPT:
            return None
        if form.get('sign') != php_sign(form, self.key)[0]:
            return '签名失败!!!'
        if not form.get('time', '').isdigit() or time.time() - int(form['time']) > self.window:
            return '请求超时!!!'
        return None

    async def _login(self, form):
        self.counters['login_attempts'] += 1
        self.counters['logins_in_flight'] += 1
        self.counters['most_logins_in_flight'] = max(
            self.counters['most_logins_in_flight'], self.counters['logins_in_flight'])
        try:
            if self.login_gate:
                await self.login_gate.wait()
            if self.login_delay:
                await asyncio.sleep(self.login_delay)
        finally:
            self.counters['logins_in_flight'] -= 1
        if self.login_answers:
            scripted = self.login_answers.pop(0)
            return scripted if isinstance(scripted, bytes) else self._json(*scripted)
        if form.get('username') != self.user:
            return self._json(-1, '账号不存在!')
        if form.get('password') != self.password_hash:
            return self._json(-2, '密码错误!')
        self.counters['logins'] += 1
        number = next(self.numbers)
        self.token = hashlib.md5(f'token-{number}'.encode()).hexdigest()
        self.tokens = {self.token}
        row = {'user_id': self.user_id, 'token': self.token, 'nickname': '小明', 'mobile': self.user,
               'password': self.password_hash}
        return self._json(1, '登陆成功', json.dumps(row, ensure_ascii=False))

    async def _with_token(self, controller, action, form):
        token = form.get('token', '')
        status = -100 if not token else (1 if token in self.tokens else -101)
        if self.hold_count:
            self.hold_count -= 1
            event = asyncio.Event()
            self.held.append(event)
            if self.hold_count == 0:
                if self.on_held:
                    self.on_held()
                for waiting in self.held:
                    waiting.set()
            await event.wait()
            status = 1 if token in self.tokens else -101
        if status < 0:
            self.counters['refused_tokens'] += 1
            return self._json(status, '必须传递token' if status == -100 else 'token错误')
        self.counters['accepted'] += 1
        if (controller, action) == ('cart', 'cart3'):
            self.orders[form.get('order_id', '')] += 1
        result = self.result or json.dumps({'echo': form.get('echo', ''), 'order': form.get('order_id', '')})
        return self._json(1, 'ok', result)

    def _json(self, status, text, result='""'):
        body = '{"status":%d,"msg":%s,"result":%s}' % (status, json.dumps(text, ensure_ascii=False), result)
        return self._wire(200, self.notice + body.encode())

    @staticmethod
    def _wire(status, body):
        return (b'HTTP/1.1 %d %s\r\nContent-Type: text/html;charset=utf-8\r\nContent-Length: %d\r\n\r\n'
                % (status, http.HTTPStatus(status).phrase.encode(), len(body)) + body)

    @property
    def duplicates(self):
        return {order: count for order, count in self.orders.items() if count > 1}

    def close(self):
        def stop():
            self.server.close()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.call_later(0.05, self.loop.stop)
        self.loop.call_soon_threadsafe(stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
