"""Replays the request and the response corpora, one judged case at a time."""
import base64
import concurrent.futures
import json
import os
import queue
import re
import select
import socket
import time
import zlib

from support import upstream as upstreams
from support.client import connect

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'corpora')


def load(name):
    with open(os.path.join(FOLDER, name), encoding='utf8') as file:
        return [json.loads(line) for line in file] if name.endswith('l') else json.load(file)


def decode(text):
    return base64.b64decode(text)


def payload(case):
    if 'raw_b64' in case:
        return decode(case['raw_b64'])
    return b''.join(decode(part['b64']) * part['repeat'] for part in case['parts'])


def replay(cases, make_worker, judge, workers=8):
    """Judges every case on one of several workers (a gateway and its upstream each): {id: fault or ''}."""
    pool = queue.SimpleQueue()
    made = [make_worker() for _ in range(workers)]
    for worker in made:
        pool.put(worker)

    def one(case):
        worker = pool.get()
        try:
            return case['id'], judge(worker, case)
        except OSError as error:
            return case['id'], f'gateway unreachable: {error}'
        finally:
            pool.put(worker)
    try:
        with concurrent.futures.ThreadPoolExecutor(workers) as executor:
            return dict(executor.map(one, cases))
    finally:
        for worker in made:
            worker.close()


def exchange(address, data, half_close=False, idle=0.5, limit=8.0, closing_idle=2.0):
    """Sends `data` however the peer behaves; returns (bytes, closed) once the peer closes or falls silent."""
    sock = connect(address, 3)
    sock.setblocking(False)
    out, sent, closed, shut = bytearray(), 0, False, False
    start = last = time.monotonic()
    while True:
        readable, writable, _ = select.select([sock], [sock] if sent < len(data) else [], [], 0.02)
        if writable:
            try:
                sent += sock.send(data[sent:sent + 65536])
                last = time.monotonic()
            except BlockingIOError:
                pass
            except OSError:
                sent = len(data)
        if sent >= len(data) and half_close and not shut:
            try:
                sock.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            shut, last = True, time.monotonic()
        if readable:
            try:
                chunk = sock.recv(1 << 18)
            except BlockingIOError:
                continue
            except ConnectionResetError:
                chunk = b''
            if not chunk:
                closed = True
                break
            if len(out) < 1 << 22:
                out += chunk
            last = time.monotonic()
        wait = closing_idle if re.search(rb'(?i)\r\nconnection: *close', out) else idle
        if time.monotonic() - last > wait or time.monotonic() - start > limit:
            break
    sock.close()
    return bytes(out), closed


# Requests


def _has(request, name, value=''):
    return any(key.lower() == name.lower() and value in text for key, text in request.fields)


def judge_request(case, out, closed, seen):
    """What is wrong with the outcome of a request case, '' when nothing is."""
    expected = dict(case['expected'])
    statuses = [int(text) for text in re.findall(rb'HTTP/1\.[01] (\d{3})', out)]
    final = [status for status in statuses if status >= 200]
    allowed = expected.get('status', [])
    if case['group'] in ('te', 'clte') and 400 in allowed:
        allowed = allowed + [501]    # RFC 9112 6.1 allows both
    if any('smuggled' in request.target for request in seen) and not re.search('websocket|CONNECT own', case['title']):
        return 'a hidden request reached the upstream'
    for name in expected.get('response_must_not_have', []):
        if re.search(rb'(?i)\r\n' + name.encode() + rb':', out):
            return f'the answer has {name}'
    good_status = final[0] in allowed if final else 0 in allowed
    if not allowed:
        good_status = True
    still_open = 'the connection was left open' if expected.get('close') and not closed else ''
    if expected['verdict'] == 'reject':
        if expected.get('upstream_requests') is not None and len(seen) > expected['upstream_requests']:
            return f'forwarded {len(seen)}'
        return still_open if good_status else f'status {final or "none"}, want {allowed}'
    if expected['verdict'] == 'either' and not seen:
        ok = good_status or (100 in statuses and 100 in allowed)
        return '' if ok else f'status {final or "none"}, want {allowed}'
    if expected.get('forward') is None:
        return '' if good_status else f'status {final or "none"}, want {allowed}'
    return _judge_forwarded(expected, final, seen) or still_open


def _judge_forwarded(expected, final, seen):
    if len(seen) != expected['upstream_requests']:
        return f'forwarded {len(seen)}, want {expected["upstream_requests"]} (status {final})'
    if expected.get('responses') and len(final) != expected['responses']:
        return f'{len(final)} responses, want {expected["responses"]}'
    for want, request in zip(expected['forward'], seen):
        if request.method != want['method'] or request.target != want['target']:
            return f'forwarded {request.method} {request.target[:60]}'
        if 'body_b64' in want and request.body != decode(want['body_b64']):
            return 'the body differs'
        if 'body_len' in want and len(request.body) != want['body_len']:
            return 'the body length differs'
        for name in want.get('must_not_have', []):
            field, _, value = name.partition('=')
            if _has(request, field, value):
                return f'forwarded the field {name}'
        for name, value in want.get('must_have', {}).items():
            if not _has(request, name, value):
                return f'lost the field {name}'
    return ''


# Responses


def _generate(kind, size):
    if kind in ('zeros', 'spaces'):
        block = (b'\0' if kind == 'zeros' else b' ') * 65536
        for _ in range(size // 65536):
            yield block
        return
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for _ in range(size >> 20):
        data = packer.compress(bytes(1 << 20))
        if data:
            yield b'%x\r\n%s\r\n' % (len(data), data)
    data = packer.flush()
    yield b'%x\r\n%s\r\n0\r\n\r\n' % (len(data), data)


class Player:
    """An upstream that plays the steps of the current case for the first request under its id."""

    def __init__(self):
        self.case, self.log = None, []
        self.upstream = upstreams.Upstream(self._handle)
        self.url = self.upstream.url

    def close(self):
        self.upstream.close()

    @staticmethod
    def _play(wire, steps):
        for step in steps:
            if 'send_b64' in step:
                for _ in range(step.get('repeat', 1)):
                    wire.send(decode(step['send_b64']))
            elif 'delay_ms' in step:
                time.sleep(step['delay_ms'] / 1000)    # part of the script, not a synchronisation
            elif 'gen' in step:
                for data in _generate(step['gen'], step['bytes']):
                    wire.send(data)
            elif step.get('close') == 'rst':
                raise upstreams.Reset
            elif step.get('close'):
                raise upstreams.Hangup

    def _handle(self, request, wire):
        steps = self.case['steps']
        path = request.target
        first = not any(target == path for _, _, target in self.log)
        self.log.append((wire.number, request.method, path))
        at_idle = bool(steps[0].get('prime')) and not any('after_request' in step for step in steps)
        if path == '/prime':
            wire.send(upstreams.answer(200, b'pr'))
            if at_idle:
                time.sleep(0.1)    # the bytes must come after the exchange is over
                self._play(wire, steps[1:])
        elif path == '/' + self.case['id'] and not at_idle and first:
            self._play(wire, [s for s in steps if not s.keys() & {'prime', 'after_request', 'after_request_bytes'}])
        else:
            return upstreams.answer(200, b'AGAIN')
        return None


def _request(method, target):
    tail = 'Content-Length: 3\r\n\r\na=1' if method == 'POST' else '\r\n'
    return f'{method} {target} HTTP/1.1\r\nHost: gw.test\r\n{tail}'.encode()


def run_response(address, player, case):
    """What is wrong with what the client got for a response case, '' when nothing is."""
    player.case = case
    player.log.clear()
    expected, target = case['expected'], '/' + case['id']
    if case['steps'][0].get('prime'):
        exchange(address, _request('GET', '/prime'), False, 0.3)
        time.sleep(0.3)
    slow = 1.2
    if case['group'] in ('time', 'interim', 'header'):
        slow = max(2.0, expected.get('deadline_ms', 6000) / 1000 + 1)
    start = time.monotonic()
    out, closed = exchange(address, _request(case['request_method'], target), False, slow, 45)
    took = time.monotonic() - start - (0 if closed else slow)
    return _judge_response(address, player, case, out, closed, took)


def _judge_response(address, player, case, out, closed, took):
    expected, target, log = case['expected'], '/' + case['id'], list(player.log)
    while re.match(rb'HTTP/1\.[01] 1(?!01)\d\d', out):
        out = out.partition(b'\r\n\r\n')[2]    # interim answers may be forwarded
    head, _, body = out.partition(b'\r\n\r\n')
    match = re.match(rb'HTTP/1\.[01] (\d{3})', head)
    status = int(match.group(1)) if match else 0
    if b'EVIL' in out and case['id'] in ('r-frame-09', 'r-frame-10'):
        return 'unsolicited bytes were delivered to a client'
    length = re.search(rb'(?i)\r\ncontent-length: *(\d+)', head)
    chunked = re.search(rb'(?i)\r\ntransfer-encoding: *chunked', head)
    whole = status and (
        case['request_method'] == 'HEAD' or status in (204, 304) or (length and len(body) >= int(length.group(1)))
        or (chunked and body.endswith(b'0\r\n\r\n')) or (not length and not chunked and closed))
    want = expected.get('client_status')
    if want and status not in want and not ('abort' in want and not whole):
        return f'status {status} whole={bool(whole)}, want {want}'
    if want == ['abort'] or (want and status == 200 and 200 not in want and whole):
        return 'a broken body looks complete'
    if 'client_body_b64' in expected and status == 200 and not chunked and body != decode(expected['client_body_b64']):
        return f'body {body[:40]!r}'
    for name in expected.get('client_must_not_see', []):
        as_field = re.search(rb'(?i)\r\n' + re.escape(name.encode()) + rb':', head)
        if ' ' not in name and (as_field or (name.isupper() and name.encode() in out)):
            return f'the client sees {name}'
    if expected.get('retry', '').startswith('never') and sum(m == 'POST' and t == target for _, m, t in log) > 1:
        return 'the POST was sent more than once'
    if 'deadline_ms' in expected and took > expected['deadline_ms'] / 1000:
        return f'took {took:.1f} s'
    if expected.get('upstream_connection_reusable') is False and log and 'prime' not in case['steps'][0]:
        used = log[-1][0]
        exchange(address, _request('GET', '/again'), False, 0.3)
        if any(number == used for number, _, path in player.log if path == '/again'):
            return 'the upstream connection was reused'
    return ''
