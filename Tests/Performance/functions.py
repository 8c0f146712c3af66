"""What one signature and one expiry test cost in-process, and against a C program that does the same work by hand."""
import json
import os
import statistics
import struct
import subprocess
import tempfile
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get('FUNCTION_BENCH') or os.path.join(
    os.path.dirname(os.path.dirname(HERE)), '.build', 'release', 'FunctionBench')
KEY = 'a4f1c2d3e5b60718293a4b5c6d7e8f90'
FORM = urllib.parse.urlencode({
    'goods_id': '140', 'goods_num': '1', 'unique_id': '891F1CCA-E4A7-4F35-BA03-688CD5314686', 'page': '2',
    'sort': 'price', 'note': 'a b+c', 'token': '4a5b7c0d1e2f30415263748596a7b8c9', 'user_id': '2591'})
GOODS = [{'goods_id': 140 + number, 'goods_name': f'手机 number {number}', 'shop_price': f'{number}99.00', 'is_on': True,
          'original_img': f'/public/upload/goods/2016/{number}.jpg', 'spec': {'color': 'red', 'stock': number * 7}}
         for number in range(12)]
ANSWER = json.dumps({'status': 1, 'msg': 'ok', 'result': GOODS}, ensure_ascii=False, separators=(',', ':'))
# Name, what it is, input, and what it may cost: microseconds, mallocs.
WORKS = [
    ('signature', 'shop signature', FORM, 4.0, 8),
    ('signature_php', 'shop signature, PHP order', FORM, 4.0, 8),
    ('expiry', 'expiry test, 2 KiB of JSON', ANSWER, 2.0, None),
    ('sigv4', 'SigV4 of a small request', 'Action=ListUsers&Marker=a%20b&Version=2010-05-08', 10.0, None),
]
FEW, MANY, ROUNDS = 1000, 101000, 5


def run(command, environment=None):
    """(CPU seconds, standard output) of a process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **(environment or {})})
    output = process.stdout.read().decode().strip()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f'{command[0]} ended with {process.returncode}')
    return usage.ru_utime + usage.ru_stime, output


def per_operation(command):
    """Microseconds of one operation: the start of the process is in both runs."""
    return (run(command(MANY))[0] - run(command(FEW))[0]) / (MANY - FEW) * 1e6


def allocations(command, library, folder):
    counts = []
    for count in (FEW, 2 * FEW):
        path = os.path.join(folder, f'{command(1)[1]}-{count}')
        run(command(count), {'LD_PRELOAD': library, 'MALLOC_COUNT': path})
        with open(path, 'rb') as file:
            counts.append(struct.unpack('Q', file.read(8))[0])
    return (counts[1] - counts[0]) / FEW


def measure(results):
    """The lines of the table; fills results['functions'] and the values that targets look at."""
    rows = results['functions'] = {}
    lines = [f'{"":28}{"CPU us":>9}{"C: us":>9}{"ratio":>8}{"mallocs":>9}']
    with tempfile.TemporaryDirectory(prefix='countersign-functions-') as folder:
        reference, library = os.path.join(folder, 'reference'), os.path.join(folder, 'mallocs.so')
        compiler = os.environ.get('CC') or 'cc'
        subprocess.run([compiler, '-O2', os.path.join(HERE, 'reference.c'), '-o', reference, '-lcrypto'], check=True)
        subprocess.run([compiler, '-O2', '-shared', '-fPIC', '-o', library, os.path.join(HERE, 'mallocs.c')], check=True)
        config = os.path.join(folder, 'functions.yaml')
        with open(os.path.join(HERE, 'functions.yaml')) as source, open(config, 'w') as copy:
            copy.write(source.read())
        with open(os.open(os.path.join(folder, 'key'), os.O_CREAT | os.O_WRONLY, 0o600), 'w') as file:
            file.write(KEY)
        for name, title, text, _, _ in WORKS:
            def own(count):
                return [BENCH, name, str(count), config, text]

            def by_hand(count):
                return [reference, name, str(count), KEY, text]
            expected, found = run(by_hand(1))[1], run(own(1))[1]
            if found != expected or not expected:
                raise SystemExit(f'{title}: {found!r}, but the C program says {expected!r}')
            pairs = [(per_operation(own), per_operation(by_hand)) for _ in range(ROUNDS)]
            cpu, base = (statistics.median(column) for column in zip(*pairs))
            row = rows[name] = {'cpu_us': round(cpu, 3), 'c_us': round(base, 3), 'ratio': round(cpu / base, 2),
                                'mallocs': allocations(own, library, folder)}
            lines.append(f'{title:28}{cpu:>9.2f}{base:>9.2f}{cpu / base:>8.2f}{row["mallocs"]:>9.1f}')
            results[f'{name}_us'], results[f'{name}_mallocs'] = row['cpu_us'], row['mallocs']
    return lines


def targets():
    """As bench.py wants them: what it is, its key in the results, the limit, the unit."""
    lines = []
    for name, title, _, microseconds, mallocs in WORKS:
        lines.append((title, f'{name}_us', microseconds, 'us'))
        if mallocs:
            lines.append((title, f'{name}_mallocs', mallocs - 1, 'mallocs'))
    return lines
