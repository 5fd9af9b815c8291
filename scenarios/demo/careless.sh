#!/usr/bin/env bash
#
# careless.sh URL OUTPUT
#
# Downloads a file, as long as nothing goes wrong: a client with bugs, which `headwind demo` has checked. It needs bash and
# cat alone.
LC_ALL=C
address=${1#http://}
host=${address%%/*}
port=${host##*:}
[[ $host == *:* ]] || port=80

exec 3<> "/dev/tcp/${host%:*}/$port" || exit 1
printf 'GET /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "${address#*/}" "$host" >&3

# Bug: it does not look at the status, so the page that says "404" is taken for the file.
while IFS= read -r line <&3 && [[ $line != $'\r' ]]; do :; done

# Bug: it does not compare what came with Content-Length, so a part is taken for the whole.
cat <&3 > "$2"
