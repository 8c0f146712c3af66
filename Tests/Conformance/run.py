#!/usr/bin/env python3
"""Runs the conformance tests, one process per file, some files side by side: run.py [FILE or NAME]...

COUNTERSIGN names the binary (default .build/debug/countersign), JOBS how many files run at once (default: 2).
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Files that measure memory, idleness or a thousand requests at once run by themselves, after the others.
ALONE = ('test_streaming', 'test_session_storm', 'test_taken_storm', 'test_descriptors')
LONGEST = 300


def run(name):
    start = time.monotonic()
    try:
        done = subprocess.run([sys.executable, '-m', 'unittest', '-q', name], cwd=HERE, capture_output=True, timeout=LONGEST,
                              env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', 'PYTHONWARNINGS': 'ignore::ResourceWarning'})
        status, text = done.returncode, (done.stdout + done.stderr).decode('utf8', 'replace')
    except subprocess.TimeoutExpired as error:
        status, text = 1, (error.stderr or b'').decode('utf8', 'replace') + f'\nno end within {LONGEST} s\n'
    return name, status, text, time.monotonic() - start


def main():
    wanted = [os.path.splitext(os.path.basename(name))[0] for name in sys.argv[1:]]
    names = sorted(os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(HERE, 'test_*.py')))
    names = [name for name in names if not wanted or name in wanted or name.removeprefix('test_') in wanted]
    start = time.monotonic()
    together = [name for name in names if name not in ALONE]
    # The corpora take longest: they begin first.
    together.sort(key=lambda name: name not in ('test_answers', 'test_framing'))
    bad, total, broken = [], 0, []

    def report(result):
        nonlocal total
        name, status, text, took = result
        match = re.search(r'Ran (\d+) tests?', text)
        count = int(match.group(1)) if match else 0
        total += count
        skipped = re.search(r'skipped=(\d+)', text)
        note = ', SKIPPED: ' + skipped.group(1) if skipped else ''
        print(f'{"ok  " if status == 0 else "FAIL"} {name} ({count} tests, {took:.1f} s{note})', flush=True)
        if status:
            bad.append(name)
            broken.extend(re.findall(r'^(?:FAIL|ERROR): (\S+ \(\S+\))', text, re.M))
            print('\n'.join('     ' + line for line in text.splitlines()), flush=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', '2'))) as executor:
        for future in concurrent.futures.as_completed([executor.submit(run, name) for name in together]):
            report(future.result())
    for name in (name for name in names if name in ALONE):
        report(run(name))
    print(f'conformance: {total} tests in {len(names)} files, {len(broken)} failed, {time.monotonic() - start:.0f} s')
    for name in broken:
        print('  failed: ' + name)
    sys.exit(1 if bad or not total else 0)


if __name__ == '__main__':
    main()
