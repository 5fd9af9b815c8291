"""requests_get.py URL OUTPUT: downloads a file with requests, which tries again up to five times."""

import sys

import requests
from requests.adapters import HTTPAdapter, Retry

session = requests.Session()
retries = Retry(5, backoff_factor=1, status_forcelist=[429, 500, 502, 503, 504])
for scheme in ("http://", "https://"):
    session.mount(scheme, HTTPAdapter(max_retries=retries))
with session.get(sys.argv[1], stream=True, timeout=10) as answer:
    answer.raise_for_status()
    with open(sys.argv[2], "wb") as file:
        for block in answer.iter_content(65536):
            file.write(block)
