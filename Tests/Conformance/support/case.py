"""The base class of the tests: things that are closed when the test ends."""
import unittest

from support import configs
from support.gateway import Gateway
from support.shop import Shop
from support.upstream import Upstream


class Case(unittest.TestCase):
    """Each test starts what it needs; everything is closed in the reverse order, whatever happens."""

    maxDiff = 2000

    def start(self, thing):
        self.addCleanup(self._close, thing)
        return thing

    @staticmethod
    def _close(thing):
        if hasattr(thing, '__exit__'):
            thing.__exit__(None, None, None)
        else:
            thing.close()

    def upstream(self, handler=None, **options):
        return self.start(Upstream(handler, **options))

    def gateway(self, config, **options):
        return self.start(Gateway(config, **options))

    def pair(self, handler=None, **config):
        """An upstream and a gateway that passes everything to it."""
        upstream = self.upstream(handler)
        return upstream, self.gateway(configs.plain(upstream.url, **config))

    def shop(self, **options):
        return self.start(Shop(**options))

    def shop_gateway(self, shop, *, secrets=None, args=(), **config):
        """A gateway that speaks the shop's dialect."""
        return self.gateway(
            configs.tpshop(shop.url, **config), secrets={**configs.SECRETS, **(secrets or {})}, args=args)

    def assert_refused(self, answer, status, kind=None):
        """The answer was made by the gateway itself: status, standard envelope, kind."""
        self.assertEqual(answer.status, status, answer)
        body = answer.json
        self.assertIs(body['success'], False)
        self.assertIsNone(body['data'])
        self.assertTrue(body['message'])
        self.assertTrue(answer.field('Proxy-Status').startswith('countersign; error='), answer.fields)
        self.assertTrue(answer.field('X-Request-Id'))
        self.assertTrue(answer.field('Content-Type').lower().startswith('application/json'))
        if kind:
            self.assertEqual(body['error']['kind'], kind, body)


main = unittest.main
