"""aiohttp_get.py URL OUTPUT: downloads a file with aiohttp."""

import asyncio
import sys

import aiohttp


async def main():
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=10)
    async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session:
        async with session.get(sys.argv[1]) as answer:
            with open(sys.argv[2], "wb") as file:
                async for block in answer.content.iter_chunked(65536):
                    file.write(block)


asyncio.run(main())
