#!/usr/bin/env python3
"""Drives unmodified servers through the gateway, one file after the other: run.py [--offline-ok] [FILE or NAME]...

COUNTERSIGN names the binary (default .build/release/countersign). What is missing is installed first: Debian packages,
and PyPI packages into .build/venv. A file whose server is not installed, and cannot be because its registry cannot be
reached, does not run, which is said; that is a failure, unless --offline-ok is given.
"""
import glob
import os
import re
import subprocess
import sys
import time

from real.install import NOT_RUN, UNREACHABLE

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASE = os.path.join(HERE, '..', '..', '.build', 'release', 'countersign')
LONGEST = 1800    # seconds, with a first installation over a slow line


def run(name, environment):
    """(number of tests, the names of those that failed, why it did not run or None)"""
    start = time.monotonic()
    print(f'== {name}', flush=True)
    try:
        with subprocess.Popen([sys.executable, '-m', 'unittest', name], cwd=HERE, env=environment,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            text = process.communicate(timeout=LONGEST)[1].decode('utf8', 'replace')
            status = process.returncode
    except subprocess.TimeoutExpired:
        status, text = 1, f'no end within {LONGEST} s\n'
        process.kill()
    reason = re.search(f'^{NOT_RUN}(.*)$', text, re.M)
    if status == UNREACHABLE and reason:
        return 0, [], reason.group(1)
    match = re.search(r'Ran (\d+) tests?', text)
    count = int(match.group(1)) if match else 0
    broken = sorted(set(re.findall(r'^(?:FAIL|ERROR): (\S+ \(\S+\))', text, re.M)))    # one line for all its subtests
    if status:
        broken = broken or [name]
        print('\n'.join('     ' + line for line in text.splitlines()))
    print(f'{"FAIL" if status else "ok  "} {name} ({count} tests, {time.monotonic() - start:.1f} s)', flush=True)
    return count, broken, None


def main():
    wanted = [os.path.splitext(os.path.basename(name))[0].removeprefix('test_') for name in sys.argv[1:]
              if not name.startswith('--')]
    names = sorted(os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(HERE, 'test_*.py')))
    names = [name for name in names if not wanted or name.removeprefix('test_') in wanted]
    environment = {'COUNTERSIGN': RELEASE, **os.environ, 'PYTHONDONTWRITEBYTECODE': '1',
                   'PYTHONWARNINGS': 'ignore::ResourceWarning'}
    environment['COUNTERSIGN'] = os.path.abspath(environment['COUNTERSIGN'])
    total, broken, missing = 0, [], []
    for name in names:
        count, bad, reason = run(name, environment)
        total += count
        broken += bad
        if reason:
            missing.append(f'{name} DID NOT RUN: {reason}')
    for name in broken:
        print('  failed: ' + name)
    if missing:
        print('*' * 100)
        print('\n'.join(missing))
        print('Nothing is known about the gateway in front of these servers.')
        print('*' * 100)
    print(f'{max(total - len(broken), 0)} passed, {len(broken)} failed')
    is_enough = not missing or '--offline-ok' in sys.argv
    sys.exit(0 if is_enough and not broken and (total or missing) else 1)


if __name__ == '__main__':
    main()
