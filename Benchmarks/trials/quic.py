"""HTTP/3 by aioquic: `quic.py serve PORT CERTIFICATE KEY FOLDER`, `quic.py fetch HOST PORT CERTIFICATE NAME`.

The client prints the bytes, the seconds and the SHA-256 of the body.
"""

import asyncio
import hashlib
import os
import sys
import time

from aioquic.asyncio import QuicConnectionProtocol, connect, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated


class Protocol(QuicConnectionProtocol):
    folder = None

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = None
        self.body, self.ended = bytearray(), asyncio.get_running_loop().create_future()

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if self.http is None:
            return
        for one in self.http.handle_event(event):
            if self.folder is not None and isinstance(one, HeadersReceived):
                self.answer(one.stream_id, dict(one.headers)[b":path"].decode())
            elif isinstance(one, DataReceived):
                self.body += one.data
                if one.stream_ended and not self.ended.done():
                    self.ended.set_result(None)

    def answer(self, stream, path):
        with open(os.path.join(self.folder, os.path.basename(path)), "rb") as file:
            body = file.read()
        self.http.send_headers(stream, [(b":status", b"200"), (b"content-length", str(len(body)).encode())])
        self.http.send_data(stream, body, end_stream=True)
        self.transmit()


async def be_server(port, certificate, key, folder):
    Protocol.folder = folder
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN)
    configuration.load_cert_chain(certificate, key)
    await serve("127.0.0.1", int(port), configuration=configuration, create_protocol=Protocol)
    print("ready", flush=True)
    await asyncio.Future()


async def fetch(host, port, certificate, name):
    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN)
    configuration.load_verify_locations(certificate)
    begin = time.monotonic()
    async with connect(host, int(port), configuration=configuration, create_protocol=Protocol) as protocol:
        stream = protocol._quic.get_next_available_stream_id()
        fields = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", host.encode())]
        protocol.http.send_headers(stream, fields + [(b":path", f"/{name}".encode())], end_stream=True)
        protocol.transmit()
        await asyncio.wait_for(protocol.ended, 120)
        body = bytes(protocol.body)
    print(len(body), time.monotonic() - begin, hashlib.sha256(body).hexdigest())


if __name__ == "__main__":
    asyncio.run({"serve": be_server, "fetch": fetch}[sys.argv[1]](*sys.argv[2:]))
