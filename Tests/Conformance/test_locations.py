"""An address of the upstream's own origin leads back to the gateway; every other place stays as it is."""
from support import case, configs
from support.client import call, get
from support.upstream import answer


class Locations(case.Case):
    def setUp(self):
        self.location, self.status, self.more = '', 302, []
        self.up = self.upstream(
            lambda request, wire: answer(self.status, b'', [('Location', self.location), *self.more]))
        self.host = self.up.url.removeprefix('http://')
        routes = '''  - {path: /off/**, upstream: up, rewrite_location: false}
  - {path: /shop/**, upstream: up, rewrite: "/v1/${request.segments[1]}"}
  - {path: /other/**, upstream: other}
  - {path: /**, upstream: up, hosts: [gw.test]}
'''
        head = configs.plain(self.up.url).partition('routes:\n')[0]
        self.gw = self.gateway(head.replace('upstreams:\n', 'upstreams:\n  other: {url: "http://127.0.0.1:9"}\n')
                               + 'routes:\n' + routes)

    def told(self, location, path='/a/b', method='GET'):
        self.location = location
        return call(self.gw.address, method, path).field('Location')

    def test_the_upstreams_own_origin(self):
        self.assertEqual(self.told(f'http://{self.host}/login?to=%2Fa#x'), '/login?to=%2Fa#x')
        self.assertEqual(self.told(f'HTTP://{self.host}'), '/')
        self.assertEqual(self.told(f'//{self.host}/x'), '/x')

    def test_a_created_resource(self):
        self.status = 201
        self.assertEqual(self.told(f'http://{self.host}/items/7', method='POST'), '/items/7')

    def test_other_places_stay(self):
        for place in ('https://sso.example/login', f'https://{self.host}/x', f'http://x@{self.host}/x', '/x', 'x?y',
                      f'http://{self.host}//evil.example/x'):
            self.assertEqual(self.told(place), place)

    def test_where_no_route_of_the_upstream_leads(self):
        for path in ('/other/x', '/_countersign/x'):
            self.assertEqual(self.told(f'http://{self.host}{path}'), f'http://{self.host}{path}')

    def test_through_a_rewrite(self):
        self.assertEqual(self.told(f'http://{self.host}/v1/done?x=1', '/shop/a'), '/shop/done?x=1')
        self.assertEqual(self.told(f'http://{self.host}/v2/done', '/shop/a'), f'http://{self.host}/v2/done')

    def test_it_can_be_switched_off(self):
        place = f'http://{self.host}/login'
        self.assertEqual(self.told(place, '/off/a'), place)


class Links(Locations):
    def told(self, location, path='/a/b', method='GET'):
        """The same of a `Content-Location`, and of each address of a list of links."""
        self.location = '/'
        link = [f'<{location}>; rel="next"; title="a <{location}>, \\" b"; anchor="#x" , <{location}>;rel=last', f'<{location}>']
        fields = [('Content-Location', location), ('X', '1'), ('Link', link[0]), ('Link', link[1])]
        self.more = fields
        reply = call(self.gw.address, method, path)
        place = reply.field('Content-Location')
        self.assertEqual(reply.all('Link'), [
            f'<{place}>; rel="next"; title="a <{location}>, \\" b"; anchor="#x" , <{place}>;rel=last', f'<{place}>'])
        return place

    def test_what_is_no_list_of_links_stays(self):
        self.location = '/'
        url = f'http://{self.host}/a'
        for value in (f'<{url}', url, f'"<{url}>', '<>; rel=next', '', f'<{url} x>; rel=a'):
            self.more = [('Link', value)]
            self.assertEqual(call(self.gw.address, 'GET', '/a/b').field('Link'), value)


class BasePath(case.Case):
    def test_the_upstreams_path_goes(self):
        up = self.upstream(lambda request, wire: answer(301, b'', [('Location', 'http://' + request.field('Host') + '/base/a/')]))
        gate = self.gateway(configs.plain(up.url + '/base'))
        self.assertEqual(get(gate.address, '/a').field('Location'), '/a/')


if __name__ == '__main__':
    case.main()
