"""TLS in front of the gateway, which takes none itself: what a library does only over https can be seen then."""
import asyncio
import threading


class TLSFront:
    """Listens on a free port of localhost, takes TLS off, and passes bytes to and fro."""

    def __init__(self, address, context):
        self.host, self.target = address.rsplit(':', 1)
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self._serve, '127.0.0.1', 0, ssl=context))
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    async def _serve(self, reader, writer):
        behind_reader, behind_writer = await asyncio.open_connection(self.host, int(self.target))
        await asyncio.gather(self._pass(reader, behind_writer), self._pass(behind_reader, writer))

    @staticmethod
    async def _pass(source, sink):
        try:
            while data := await source.read(1 << 16):
                sink.write(data)
                await sink.drain()
        except OSError:
            pass    # the other side learns by the end of its connection
        sink.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
