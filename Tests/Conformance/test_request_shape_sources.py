"""Where a request's fields come from: multipart and XML bodies, and values within values that a transform reaches."""
import base64
import email.parser
import hashlib
import json

from test_request_shape import JSON, Base as Shapes
from support import case
from support.client import FORM

FACE = b'\x89PNG\r\n--x\r\n\x00\xff'
# As curl, browsers and Python's libraries write them: quoted and bare names, escapes, types, a file without content.
MULTIPART = (b'\r\n--x y\r\nContent-Disposition: form-data; name="user[name]"\r\n\r\n\xe7\x94\xb2 & b\r\n'
             b'--x y\r\ncontent-disposition:form-data;name=t\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n1\r\n'
             b'--x y\r\nContent-Disposition: form-data; name="t"\r\n\r\n\r\n'
             b'--x y\r\nContent-Disposition: form-data; name="a%22b"; filename="C:\\x\\f%22\\".png"\r\n'
             b'Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n' + FACE + b'\r\n'
             b'--x y\r\nContent-Disposition: form-data; name="none"; filename=""\r\n\r\n\r\n--x y--\r\n')
KIND = [('Content-Type', 'Multipart/Form-Data; charset=utf-8; boundary="x y"')]


def parts_of(request):
    """(name, file name, type, content) of each part, read by Python's own parser."""
    kind = request.field('Content-Type').encode()
    message = email.parser.BytesParser().parsebytes(b'Content-Type: ' + kind + b'\r\n\r\n' + request.body)
    return [(part.get_param('name', header='Content-Disposition'), part.get_filename(),
             part.get_content_type() if 'Content-Type' in part else None, part.get_payload(decode=True))
            for part in message.get_payload()]


class FromMultipart(Shapes):
    def test_to_a_form(self):
        self.gate('request: {to: form, transform: {"a\\"b": "${base64.encode(value)}", none: "${optional.none()}"}}')
        digest = base64.b64encode(FACE).decode()
        self.assertEqual(self.pairs(MULTIPART, KIND), [('user[name]', '甲 & b'), ('t', '1'), ('t', ''), ('a"b', digest)])

    def test_to_json(self):
        self.gate('request: {to: json}')
        self.assertEqual(json.loads(self.sent(MULTIPART, KIND).body), {
            'user': {'name': '甲 & b'}, 't': ['1', ''], 'a"b': base64.b64encode(FACE).decode(), 'none': ''})

    def test_files_pass_with_name_and_type(self):
        self.gate('request: {to: multipart, transform: {/user/name: "${value + \'!\'}"}}')
        request = self.sent(MULTIPART, KIND)
        self.assertEqual(parts_of(request), [
            ('user[name]', None, None, '甲 & b!'.encode()), ('t', None, 'text/plain', b'1'), ('t', None, None, b''),
            ('a%22b', 'C:\\x\\f%22%22.png', 'image/png', FACE), ('none', '', 'application/octet-stream', b'')])

    def test_a_transform_of_a_file_sees_bytes(self):
        self.gate('request: {transform: {f: "${bytes(\'<\') + value}", g: "${hex.encode(hash.sha256(value))}"}}')
        body = b''.join(b'--b\r\nContent-Disposition: form-data; name="%s"; filename="n.bin"\r\n\r\n\x00\xff\r\n' % name
                        for name in (b'f', b'g')) + b'--b--'
        request = self.sent(body, [('Content-Type', 'multipart/form-data; boundary=b')])
        self.assertEqual(parts_of(request), [('f', 'n.bin', 'application/octet-stream', b'<\x00\xff'),
                                             ('g', None, None, hashlib.sha256(b'\x00\xff').hexdigest().encode())])

    def test_one_that_needs_no_change_passes_as_it_is(self):
        self.gate('request: {to: multipart}')
        self.assertEqual(self.sent(MULTIPART, KIND).body, MULTIPART)

    def test_an_empty_one(self):
        self.gate('request: {to: json}')
        self.assertEqual(self.sent('--x y--', KIND).body, b'{}')

    def test_broken_ones_are_refused(self):
        self.gate('request: {to: json}')
        part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
        good = [('Content-Type', 'multipart/form-data; boundary=x')]
        self.assertEqual(self.sent(part + '--x--', good).body, b'{"a":"1"}')
        for body in ('x', '--x\r\n', part, part + '--x', part + '--xy--', part.replace('form-data', 'attachment') + '--x--',
                     part.replace('; name="a"', '') + '--x--', part.replace('\r\n\r\n', '\r\n') + '--x--',
                     part.replace('\r\n', '\n') + '--x--',
                     part.replace('name="a"', 'name="a"\r\nContent-Disposition: form-data; name="b"') + '--x--',
                     part.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n') + '--x--',
                     part.replace('\r\n\r\n', '\r\nX: ' + 'y' * 9000 + '\r\n\r\n') + '--x--'):
            self.assert_bad(self.send(body, good), 400, 'multipart')
        for kind in ('multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=' + 'x' * 71):
            self.assert_bad(self.send(part + '--x--', [('Content-Type', kind)]), 400, 'multipart')

    def test_thousands_of_parts_take_no_time(self):
        self.gate('request: {to: json}')
        body = ''.join(f'--x\r\nContent-Disposition: form-data; name="k{n}"\r\n\r\n{n}\r\n' for n in range(10000)) + '--x--'
        self.assertEqual(len(json.loads(self.sent(body, [('Content-Type', 'multipart/form-data; boundary=x')]).body)), 10000)
        self.assert_bad(self.send('\r' * 2_000_000, [('Content-Type', 'multipart/form-data; boundary=x')]), 400, 'multipart')


class FromXML(Shapes):
    BODY = ('\ufeff<?xml version="1.0"?><n:order xmlns:n="urn:x"><id>0012</id><item k="v">a &amp; b</item><item>2</item>'
            '<to><city>甲</city></to><none/></n:order>')
    KIND = [('Content-Type', 'text/xml; charset=utf-8')]

    def test_to_json_and_form(self):
        self.gate('request: {to: json}')
        self.assertEqual(json.loads(self.sent(self.BODY, self.KIND).body), {
            'id': '0012', 'item': [{'@k': 'v', '#text': 'a & b'}, '2'], 'to': {'city': '甲'}, 'none': ''})
        self.gate('request: {to: form, transform: {/item: "${optional.none()}"}}')
        self.assertEqual(self.pairs(self.BODY, self.KIND), [('id', '0012'), ('to[city]', '甲'), ('none', '')])

    def test_xml_that_is_changed_keeps_its_root(self):
        for root, name in (('', 'order'), (', root: req, to: xml', 'req')):
            self.gate('request: {transform: {/to/city: "${value + \'!\'}", /item: "<"}%s}' % root)
            request = self.sent(self.BODY, self.KIND)
            self.assertEqual(request.body.decode(), f'<{name}><id>0012</id><item>&lt;</item><to><city>甲!</city></to>'
                             f'<none></none></{name}>')
            self.assertEqual(request.field('Content-Type'), 'application/xml; charset=utf-8')

    def test_what_does_not_fit_is_refused(self):
        self.gate('request: {from: xml, to: json}')
        self.assertEqual(self.sent('<a/>', []).body, b'{}')
        for body in ('<a>', 'text', '<a>text</a>', '<!DOCTYPE a [<!ENTITY e "x">]><a><b>&e;</b></a>'):
            self.assert_bad(self.send(body, self.KIND), 400, 'XML')


class Deep(Shapes):
    ROUTE = ('request: {to: %s, transform: {/user/password: "${hex.encode(hash.md5(value))}", /l/*/k: "${value + \'!\'}", '
             '/l/1/n: "${optional.none()}", /a~1b/~0: "${1}"}}')
    DIGEST = hashlib.md5(b'pw').hexdigest()

    def test_json_below_the_top(self):
        self.gate(self.ROUTE % 'json')
        body = ('{"user" :{"id":12345678901234567890, "password":"pw","x":[1.0 ]},"l":[{"k":"1","n":0},{"n":0,"k":"2"}, 3],'
                '"a/b":{"~":0},"password":"top","z":{ }}')
        self.assertEqual(self.sent(body).body.decode(), (
            '{"user":{"id":12345678901234567890,"password":"%s","x":[1.0 ]},"l":[{"k":"1!","n":0},{"k":"2!"},3],'
            '"a/b":{"~":1},"password":"top","z":{ }}') % self.DIGEST)

    def test_the_same_place_in_the_names_of_a_form(self):
        for nested, body, names in (
                ('brackets', 'user[password]=pw&l[0][k]=1&l[1][k]=2&l[1][n]=0&password=top',
                 ['user[password]', 'l[0][k]', 'l[1][k]', 'password']),
                ('dots', 'user.password=pw&l[0].k=1&l[1].k=2&l[1].n=0&password=top',
                 ['user.password', 'l[0].k', 'l[1].k', 'password'])):
            self.gate((self.ROUTE % 'form').replace('{to', '{nested: %s, to' % nested))
            self.assertEqual(self.pairs(body, [FORM]), list(zip(names, [self.DIGEST, '1!', '2!', 'top'])), nested)

    def test_what_is_not_there_is_left_alone(self):
        self.gate(self.ROUTE % 'json')
        for body in ('{"user":"x","l":{"k":{"n":1}},"a/b":[]}', '{"l":[]}', '{"user":null}'):
            self.assertEqual(self.sent(body).body.decode(), body)

    def test_the_root_of_a_list_and_repeated_names(self):
        self.gate('request: {transform: {/l/*: "${int(value) * 2}", /l/0: "${optional.none()}"}}')
        self.assertEqual(self.sent('{"l":[1,2,3]}').body, b'{"l":[4,6]}')
        self.assertEqual(self.pairs('l[]=1&l[]=2', [FORM]), [('l[]', '2'), ('l[]', '4')])

    def test_one_that_errs_names_its_place_and_no_value(self):
        self.gate('request: {transform: {/user/password: "${hash.md5(value.x)}"}}')
        reply = self.send('{"user":{"password":"s3cret-word"}}', [JSON])
        self.assert_bad(reply, 400, '/user/password')
        self.assertNotIn(b's3cret-word', reply.body)
        self.assertEqual(self.up.requests, [])


if __name__ == '__main__':
    case.main()
