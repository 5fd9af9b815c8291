"""httpx_get.py URL OUTPUT: downloads a file with httpx, which connects again up to three times."""

import sys

import httpx

transport = httpx.HTTPTransport(retries=3)
with httpx.Client(transport=transport, follow_redirects=True, timeout=10) as client:
    with client.stream("GET", sys.argv[1]) as answer:
        answer.raise_for_status()
        with open(sys.argv[2], "wb") as file:
            for block in answer.iter_bytes():
                file.write(block)
