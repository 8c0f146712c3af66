"""What the tests need is installed when it is missing. What cannot be installed fails the test, unless where it comes from
cannot be reached: then the test has not run, which is said."""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys

from support.gateway import ROOT

VENV = os.path.join(ROOT, '.build', 'venv')
LONGEST = 1200
# Exit status of a test file whose server cannot be had (EX_TEMPFAIL), and what it prints before the reason.
UNREACHABLE, NOT_RUN = 75, 'NOT RUN: '

# The package client could not connect or resolve, and therefore knows of no such package. Both must be said: a retry that
# helped, or a package that does not build, is another matter.
_NO_CONNECTION = re.compile(
    'NewConnectionError|NameResolutionError|ConnectTimeoutError|ProxyError|Failed to establish a new connection'
    '|Temporary failure (?:resolving|in name resolution)|Could not (?:resolve|connect)|Unable to connect'
    '|Cannot initiate the connection')
_NO_PACKAGE = re.compile(
    r'from versions: none|due to an OSError: HTTPS?Connection|Unable to locate package|Unable to fetch some archives'
    '|has no installation candidate')


class Unreachable(Exception):
    """Nothing is installed, and where it would come from cannot be reached."""


def _run(what, command):
    try:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise AssertionError(f'{what} could not be installed: no end within {LONGEST} s') from None
    if not done.returncode:
        return
    text = done.stdout.decode('utf8', 'replace')
    reason = _NO_CONNECTION.search(text)
    if reason and _NO_PACKAGE.search(text):
        raise Unreachable(f'{what} are not installed, and the registry cannot be reached ({reason.group()})')
    raise AssertionError(f'{what} could not be installed ({" ".join(command)}):\n' + text[-1500:])


def debian(package, pattern=None):
    """A Debian package, known by its command or by a file that it brings; returns the path of either."""
    def look():
        return next(iter(glob.glob(pattern)), None) if pattern else shutil.which(package)
    if not look():
        _run(f'Debian packages {package}', ['.ci/deps', package])
    found = look()
    if not found:
        raise AssertionError(f'Debian package {package} is installed, but {pattern or "its command"} is not there')
    return found


def python(*requirements, venv=VENV):
    """PyPI packages in a virtual environment of their own; returns its interpreter. A requirement that was installed
    before is not asked for again: its text is a file in the environment."""
    interpreter = os.path.join(venv, 'bin', 'python')
    if not os.path.exists(interpreter):
        if importlib.util.find_spec('ensurepip') is None:
            debian('python3-venv', '/usr/share/doc/python3-venv')
        _run('a virtual environment', [sys.executable, '-m', 'venv', venv])
    text = ' '.join(requirements)
    stamp = os.path.join(venv, 'installed', ''.join(c if c.isalnum() or c in '-._' else '_' for c in text))
    if not os.path.exists(stamp):
        _run(f'Python packages {text}', [interpreter, '-m', 'pip', 'install', '-q', '--retries', '2', *requirements])
        os.makedirs(os.path.dirname(stamp), exist_ok=True)
        with open(stamp, 'w', encoding='utf8') as file:
            file.write(text + '\n')
    return interpreter
