"""What the tests need is installed when it is missing; what cannot be installed fails the test, loudly."""
import glob
import importlib.util
import os
import shutil
import subprocess
import sys

from support.gateway import ROOT

VENV = os.path.join(ROOT, '.build', 'venv')
LONGEST = 1200


def _run(what, command):
    try:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise AssertionError(f'{what} could not be installed: no end within {LONGEST} s') from None
    if done.returncode:
        raise AssertionError(f'{what} could not be installed ({" ".join(command)}):\n'
                             + done.stdout.decode('utf8', 'replace')[-1500:])


def debian(package, pattern=None):
    """A Debian package, known by its command or by a file that it brings; returns the path of either."""
    def look():
        return next(iter(glob.glob(pattern)), None) if pattern else shutil.which(package)
    if not look():
        _run(f'Debian package {package}', ['.ci/deps', package])
    found = look()
    if not found:
        raise AssertionError(f'Debian package {package} is installed, but {pattern or "its command"} is not there')
    return found


def python(*requirements):
    """PyPI packages in a virtual environment of their own; returns its interpreter. A requirement that was installed
    before is not asked for again: its text is a file in the environment."""
    interpreter = os.path.join(VENV, 'bin', 'python')
    if not os.path.exists(interpreter):
        if importlib.util.find_spec('ensurepip') is None:
            debian('python3-venv', '/usr/share/doc/python3-venv')
        _run('a virtual environment', [sys.executable, '-m', 'venv', VENV])
    text = ' '.join(requirements)
    stamp = os.path.join(VENV, 'installed', ''.join(c if c.isalnum() or c in '-._' else '_' for c in text))
    if not os.path.exists(stamp):
        _run(f'Python packages {text}', [interpreter, '-m', 'pip', 'install', '-q', *requirements])
        os.makedirs(os.path.dirname(stamp), exist_ok=True)
        with open(stamp, 'w', encoding='utf8') as file:
            file.write(text + '\n')
    return interpreter
