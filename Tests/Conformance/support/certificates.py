"""Throw-away certificates, made with the openssl command."""
import base64
import hashlib
import os
import ssl
import subprocess


def _openssl(folder, *args):
    return subprocess.run(['openssl', *args], cwd=folder, check=True, capture_output=True).stdout


class Authority:
    """A certificate authority with leaf certificates in one folder."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.file = os.path.join(folder, 'ca.pem')
        _openssl(folder, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
                 '-subj', '/CN=Test CA', '-keyout', 'ca.key', '-out', 'ca.pem')

    def leaf(self, name, subject_names, days='2'):
        """Issues NAME.pem and NAME.key; returns both paths."""
        with open(os.path.join(self.folder, name + '.ext'), 'w') as file:
            file.write('subjectAltName=' + subject_names + '\n')
        _openssl(self.folder, 'req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
                 '-subj', '/CN=' + name, '-keyout', name + '.key', '-out', name + '.csr')
        _openssl(self.folder, 'x509', '-req', '-in', name + '.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial',
                 '-days', days, '-extfile', name + '.ext', '-out', name + '.pem')
        os.chmod(os.path.join(self.folder, name + '.key'), 0o600)
        return os.path.join(self.folder, name + '.pem'), os.path.join(self.folder, name + '.key')

    def pin(self, name):
        """The public-key pin of a leaf, as "sha256//...". """
        key = _openssl(self.folder, 'x509', '-in', name + '.pem', '-pubkey', '-noout')
        with open(os.path.join(self.folder, name + '.pub'), 'wb') as file:
            file.write(key)
        der = _openssl(self.folder, 'pkey', '-pubin', '-in', name + '.pub', '-outform', 'DER')
        return 'sha256//' + base64.b64encode(hashlib.sha256(der).digest()).decode()

    def server(self, name, subject_names='DNS:localhost,IP:127.0.0.1', *, ask_client=False, newest=None):
        """A server context with a leaf of this authority."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.leaf(name, subject_names))
        if ask_client:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.file)
        if newest:
            context.maximum_version = newest
        return context
