"""Many clients at once, on one asyncio loop: each item is one request on a connection of its own."""
import asyncio
import time


class Result:
    """Status, fields (lower-case names), body and duration of one answer; status 0 when there was none."""

    def __init__(self, status=0, fields=None, body=b'', seconds=0.0, error=''):
        self.status, self.fields, self.body, self.seconds, self.error = status, fields or {}, body, seconds, error


async def _read(reader):
    head = (await reader.readuntil(b'\r\n\r\n')).decode('latin1').split('\r\n')
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(':') for line in head[1:])}
    if fields.get('transfer-encoding') == 'chunked':
        parts = []
        while size := int((await reader.readline()).split(b';')[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readline()
        body = b''.join(parts)
    else:
        body = await reader.readexactly(int(fields.get('content-length', 0)))
    return int(head[0].split(' ')[1]), fields, body


async def _exchange(address, data, timeout, gate):
    host, port = address.rsplit(':', 1)
    async with gate:
        reader, writer = await asyncio.open_connection(host.strip('[]'), int(port), limit=1 << 22)
    start = time.monotonic()
    try:
        writer.write(data)
        status, fields, body = await asyncio.wait_for(_read(reader), timeout)
        return Result(status, fields, body, time.monotonic() - start)
    except (OSError, EOFError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
        return Result(seconds=time.monotonic() - start, error=repr(error))
    finally:
        writer.close()


def swarm(address, requests, timeout=20.0):
    """Sends all requests at once and returns the answers in the same order."""
    async def run():
        gate = asyncio.Semaphore(128)    # connects only: the backlog of the listener is finite
        return await asyncio.gather(*(_exchange(address, data, timeout, gate) for data in requests))
    return asyncio.run(run())


def steady(address, make, seconds, workers=16, timeout=10.0):
    """`workers` kept connections that send make(n) one after the other for `seconds`; returns [(start, Result)]."""
    results = []
    numbers = iter(range(1 << 40))

    async def worker(end):
        reader = writer = None
        while time.monotonic() < end:
            start = time.monotonic()
            try:
                if writer is None:
                    host, port = address.rsplit(':', 1)
                    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 22)
                writer.write(make(next(numbers)))
                status, fields, body = await asyncio.wait_for(_read(reader), timeout)
                results.append((start, Result(status, fields, body, time.monotonic() - start)))
                closing = fields.get('connection', '').lower() == 'close'
            except (OSError, EOFError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
                results.append((start, Result(seconds=time.monotonic() - start, error=repr(error))))
                closing = True
            if closing and writer:
                writer.close()
                writer = None
            await asyncio.sleep(0.005)
        if writer:
            writer.close()

    async def run():
        end = time.monotonic() + seconds
        await asyncio.gather(*(worker(end) for _ in range(workers)))
    asyncio.run(run())
    return results
