#!/usr/bin/env python3
"""Downloads a file, and resumes it by Range even if the file has changed: resume.py URL OUTPUT BLOCK.

Received bytes are written in blocks of BLOCK bytes; an incomplete block is lost with its connection.
"""

import http.client
import os
import sys
import time
import urllib.error
import urllib.request

url, output, block = sys.argv[1], sys.argv[2], int(sys.argv[3])
part = output + ".part"


def fetch():
    """Makes one try, and returns whether the file is complete."""
    begin = os.path.getsize(part) if os.path.exists(part) else 0
    # BUG: without If-Range this is the rest of the host's current file.
    request = urllib.request.Request(url, headers={"Range": f"bytes={begin}-"} if begin else {})
    with urllib.request.urlopen(request, timeout=5) as answer:
        if answer.status != 206:
            begin = 0
        left = int(answer.headers["Content-Length"])
        with open(part, "r+b" if begin else "wb", buffering=0) as file:
            file.seek(begin)
            while left > 0:
                data = answer.read(min(block, left))
                if len(data) < min(block, left):
                    return False
                file.write(data)
                left -= len(data)
            file.truncate()
    return True


for pause in (0, 0.3, 0.6, 1.2):
    time.sleep(pause)
    try:
        if fetch():
            os.replace(part, output)
            sys.exit(0)
    except urllib.error.HTTPError as error:
        print(error, file=sys.stderr)
        if error.code < 500 and error.code != 429:
            break
    except (OSError, http.client.HTTPException) as error:
        print(error, file=sys.stderr)
sys.exit(1)
