#!/usr/bin/env python3
"""Compares Countersign with nginx and nginx + Lua (CPU per request, latency, rate, memory, start), and its functions with C.

All numbers come from one machine in one run, rounds interleaved, medians: read the ratios. Writes .build/bench.json.
Sections: `proxy`, `functions`; both when none is named. Ends with 0 even when a target is missed, unless --strict.
"""
import argparse
import contextlib
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'Tests', 'Conformance'))
sys.path.insert(0, HERE)

import functions  # noqa: E402
import peers  # noqa: E402
from support import configs, shop  # noqa: E402
from support.client import FORM, Client, call, encode  # noqa: E402
from support.gateway import Gateway, raise_descriptor_limit  # noqa: E402
from support.upstream import Upstream, answer  # noqa: E402

FIELDS = {'goods_id': '140', 'goods_num': '1', 'unique_id': '891F1CCA-E4A7-4F35-BA03-688CD5314686', 'page': '2',
          'sort': 'price', 'note': 'a b+c'}
BODY = urllib.parse.urlencode(FIELDS)
PROXY_TARGETS = [
    ('whole job, CPU against nginx + Lua', 'ratio_whole_job', 0.8, 'x'),
    ('pass-through, CPU against nginx', 'ratio_pass_through', 1.9, 'x'),
    ('memory of an idle connection', 'idle_kib', 8.0, 'KiB'),
    ('start to ready', 'ready_ms', 100.0, 'ms'),
]
TOP = 'limits: {connections: 20000, requests_per_connection: 1000000000, keep_alive: 600s}\nlog: {access: off}\n'


class Subject:
    """One thing under load: where to send, what to send, whose CPU counts."""

    def __init__(self, name, address, target, pids, body=None):
        self.name, self.address, self.target, self.pids, self.body = name, address, target, pids, body
        self.cpu, self.rates, self.latencies = [], [], []

    def ask(self):
        if self.body is None:
            return call(self.address, 'GET', self.target, host=self.address)
        return call(self.address, 'POST', self.target, [FORM], self.body, host=self.address)


def cpu_time(pids):
    """Nanoseconds on a core, over all threads of the processes."""
    total = 0
    for pid in pids:
        for path in glob.glob(f'/proc/{pid}/task/*/schedstat'):
            with contextlib.suppress(OSError), open(path) as file:
                total += int(file.read().split()[0])
    return total


def wrk(subject, connections, seconds, script):
    """One wrk run: (requests, requests/s, {percentile: us}); SystemExit on any failed request."""
    command = ['wrk', '-t1', f'-c{connections}', f'-d{seconds}s', '--latency']
    if subject.body is not None:
        command += ['-s', script]
    command.append(f'http://{subject.address}{subject.target}')
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bad = re.search(r'Non-2xx or 3xx responses: (\d+)', out) or re.search(r'Socket errors: .*', out)
    if bad:
        raise SystemExit(f'{subject.name}: {bad.group(0)}')
    latency = {percent: to_us(value) for percent, value in re.findall(r'^ +(\d+)% +(\S+)$', out, re.M)}
    return int(re.search(r'(\d+) requests in', out).group(1)), float(re.search(r'Requests/sec: +(\S+)', out).group(1)), latency


def to_us(text):
    number, unit = re.match(r'([\d.]+)(us|ms|s)$', text).groups()
    return float(number) * {'us': 1, 'ms': 1e3, 's': 1e6}[unit]


def measure(subjects, rounds, seconds, script):
    """Interleaved rounds: CPU at 16 connections, rate at 64, latency at 1."""
    for number in range(rounds + 1):
        for subject in subjects:
            before = cpu_time(subject.pids)
            count, _, _ = wrk(subject, 16, seconds if number else 1, script)
            if number == 0:    # warm-up
                continue
            if subject.pids:
                subject.cpu.append((cpu_time(subject.pids) - before) / count / 1000)
            subject.rates.append(wrk(subject, 64, seconds, script)[1])
            subject.latencies.append(wrk(subject, 1, seconds, script)[2])
        print(f'  round {number} of {rounds} done', file=sys.stderr, flush=True)


def check_answers(subjects):
    """Nothing is measured that does not do its job."""
    for subject in subjects:
        reply = subject.ask()
        assert reply.status == 200, (subject.name, reply)
        if 'whole' in subject.name:
            body = reply.json
            assert body['success'] is True and body['code'] == 1 and body['message'] == 'ok', (subject.name, body)
            # Lua reads numbers as doubles: ids above 2^53 are already wrong there, so only the text is compared.
            assert [item['sku'] for item in body['data']['items']] == [item['sku'] for item in peers.GOODS['items']]


def check_signatures(start):
    """The proxies that sign, before a recording upstream: what arrives must pass the check of the shop."""
    def reply(request, wire):
        return answer(200, peers.LOGIN if request.target.endswith('login') else peers.ENVELOPE,
                      [('Content-Type', 'text/html;charset=utf-8')])
    with Upstream(reply) as upstream:
        proxy = start(upstream.port)
        try:
            Subject('', proxy.address, '/api/Goods/goodsList', [], BODY).ask()
        finally:
            proxy.close()
        form = shop.php_form(upstream.last.body.decode())
        assert form['sign'] == shop.php_sign(form)[0], form
        assert form['token'] and form['note'] == FIELDS['note'], form


def idle_memory(address, pids, target, count=5000):
    """KiB of resident memory for each of `count` connections that made one request and stay."""
    def resident():
        total = 0
        for pid in pids:
            with open(f'/proc/{pid}/status') as status:
                total += int(re.search(r'VmRSS:\s+(\d+)', status.read()).group(1))
        return total
    with Client(address) as warm:
        warm.request('GET', target, host=address)
    before = resident()
    clients = []
    try:
        for _ in range(count):
            client = Client(address)
            clients.append(client)
            client.send(encode('GET', target, host=address))
            client.read()
        return (resident() - before) / count
    finally:
        for client in clients:
            client.close()


def ready_time(config, secrets, times=15):
    """Median milliseconds from exec to the "ready" line."""
    taken = []
    for _ in range(times):
        with Gateway(config, secrets=secrets) as gateway:
            taken.append(gateway.ready_after * 1000)
    return statistics.median(taken)


def gateways(stack, port, results):
    """The two gateways under test and their subjects; also measures the start."""
    url = f'http://127.0.0.1:{port}'
    plain = configs.plain(url, top=TOP)
    whole = configs.tpshop(url, top=TOP)
    check_signatures(lambda upstream: Gateway(configs.tpshop(f'http://127.0.0.1:{upstream}', top=TOP), secrets=configs.SECRETS))
    results['ready_ms'] = ready_time(whole, configs.SECRETS)
    one = stack.enter_context(Gateway(plain))
    two = stack.enter_context(Gateway(whole, secrets=configs.SECRETS))
    return [
        Subject('countersign, pass-through', one.address, '/small', [one.pid]),
        Subject('countersign, whole job', two.address, '/api/Goods/goodsList', [two.pid], BODY)]


def table(subjects, direct, results):
    lines = [f'{"":28}{"CPU us/req":>12}{"req/s at 64":>13}{"p50 us":>9}{"p99 us":>9}{"added p50":>11}']
    for subject in subjects:
        middle = {key: statistics.median(latency[key] for latency in subject.latencies) for key in ('50', '99')}
        base = direct[subject.body is not None]
        added = middle['50'] - statistics.median(latency['50'] for latency in base.latencies)
        row = {'cpu_us': round(statistics.median(subject.cpu), 2) if subject.cpu else None,
               'requests_per_second': round(statistics.median(subject.rates)), 'p50_us': middle['50'], 'p99_us': middle['99'],
               'added_p50_us': round(added, 1)}
        results['subjects'][subject.name] = row
        cpu = f'{row["cpu_us"]:.1f}' if row['cpu_us'] else '-'
        lines.append(f'{subject.name:28}{cpu:>12}{row["requests_per_second"]:>13}'
                     f'{middle["50"]:>9.0f}{middle["99"]:>9.0f}{added:>11.0f}')
    return lines


def judge(results, targets):
    """The lines of the targets, and whether all are met."""
    lines, good = [], True
    for title, key, limit, unit in targets:
        value = results.get(key)
        met = value is not None and value <= limit
        good = good and met
        shown = 'not measured' if value is None else f'{value:.2f} {unit}'
        lines.append(f'{"pass" if met else "MISS"}  {title}: {shown} (target at most {limit} {unit})')
    results['targets'] = {key: {'limit': limit, 'met': results.get(key) is not None and results[key] <= limit}
                          for _, key, limit, _ in targets}
    return lines, good


def proxy(options, results):
    """The section `proxy`: its table."""
    with contextlib.ExitStack() as stack:
        def own(thing):
            stack.callback(thing.close)
            return thing
        upstream = own(peers.upstream())
        nginx, lua = own(peers.plain_proxy(upstream.port)), own(peers.lua_proxy(upstream.port))
        check_signatures(peers.lua_proxy)
        direct = {False: Subject('upstream itself, small', upstream.address, '/small', []),
                  True: Subject('upstream itself, envelope', upstream.address, '/index.php?a=goodsList', [], BODY)}
        subjects = [*direct.values(), Subject('nginx, pass-through', nginx.address, '/small', nginx.pids()),
                    Subject('nginx + Lua, whole job', lua.address, '/api/Goods/goodsList', lua.pids(), BODY)]
        if not options.peers_only:
            subjects += gateways(stack, upstream.port, results)
        check_answers(subjects)
        script = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), 'post.lua')
        with open(script, 'w') as file:
            file.write(f'wrk.method = "POST"\nwrk.body = "{BODY}"\nwrk.headers["{FORM[0]}"] = "{FORM[1]}"\n')
        measure(subjects, options.rounds, options.seconds, script)
        lines = table(subjects, direct, results)
        own_subjects = {subject.name: subject for subject in subjects}
        results['nginx_idle_kib'] = round(idle_memory(nginx.address, nginx.pids(), '/small'), 2)
        if not options.peers_only:
            passing = own_subjects['countersign, pass-through']
            results['idle_kib'] = round(idle_memory(passing.address, passing.pids, '/small'), 2)
            cpu = {name: row['cpu_us'] for name, row in results['subjects'].items()}
            results['ratio_whole_job'] = round(cpu['countersign, whole job'] / cpu['nginx + Lua, whole job'], 3)
            results['ratio_pass_through'] = round(cpu['countersign, pass-through'] / cpu['nginx, pass-through'], 3)
    memory = results.get('idle_kib', 'not measured')
    return [*lines, '', f'idle connection: countersign {memory} KiB, nginx {results["nginx_idle_kib"]} KiB', '']


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('sections', nargs='*', metavar='SECTION', help='proxy, functions; default: both')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=2, help='length of one wrk run')
    parser.add_argument('--strict', action='store_true', help='exit 1 when a target is missed')
    parser.add_argument('--peers-only', action='store_true', help='leave Countersign out')
    options = parser.parse_args()
    known = {'functions', 'proxy'}
    wanted = set(options.sections or known) - ({'functions'} if options.peers_only else set())
    if wanted - known:
        parser.error(f'no section {", ".join(sorted(wanted - known))}: there are {", ".join(sorted(known))}')
    raise_descriptor_limit()
    results, lines, targets = {'subjects': {}}, [], []
    if 'functions' in wanted:
        lines += [*functions.measure(results), '']
        targets += functions.targets()
    if 'proxy' in wanted:
        lines += proxy(options, results)
        targets += PROXY_TARGETS
    verdict, good = judge(results, targets)
    print('\n'.join([*lines, *verdict]))
    os.makedirs(os.path.join(ROOT, '.build'), exist_ok=True)
    with open(os.path.join(ROOT, '.build', 'bench.json'), 'w') as file:
        json.dump(results, file, indent=1)
    sys.exit(0 if good or not options.strict else 1)


if __name__ == '__main__':
    main()
