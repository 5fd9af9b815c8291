"""niquests_get.py URL OUTPUT: downloads a file with niquests, which tries again up to three times."""

import sys

import niquests

session = niquests.Session(retries=3)
with session.get(sys.argv[1], stream=True, timeout=10) as answer:
    answer.raise_for_status()
    with open(sys.argv[2], "wb") as file:
        for block in answer.iter_content(65536):
            file.write(block)
