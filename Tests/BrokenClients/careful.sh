#!/bin/sh
# Downloads a file with curl, and minds what goes wrong on the way: careful.sh URL OUTPUT [CURL'S OPTIONS].
#
# What is interrupted goes on where it was, up to five times, if the file is still the same; what the host has too much to
# do for is tried again when it says; silence of two seconds ends it; a page is no file; https stays https.

url=$1 output=$2 part=$2.part head=$2.head
shift 2
# What is asked for by https is not fetched by http, wherever the host leads.
case $url in https:*) set -- --proto-redir =https "$@" ;; esac
# Two at once would write to one partial file.
exec 9>"$part.lock"
flock -n 9 || {
    echo "careful.sh: another one downloads it" >&2
    exit 1
}
for pause in 0 0.3 0.5 0.7 1; do
    sleep "$pause"
    # Of several heads, for curl tries again itself, the last one is of what is there.
    # In its first two seconds it would try again from this try's first byte, also after silence: that takes as long.
    tag=$(sed -n 's/^[Ee][Tt]ag: *\("[^"]*"\).*/\1/p' "$head" 2>/dev/null | tail -n 1)
    # A weak tag, or none, does not say that the file is the same; a date does.
    [ -n "$tag" ] || tag=$(sed -n 's/^[Ll]ast-[Mm]odified: *//p' "$head" 2>/dev/null | tr -d '\r' | tail -n 1)
    [ -n "$tag" ] || rm -f "$part"
    said=$(curl -sSf -L -C - -D "$head" -H "If-Range: $tag" --connect-timeout 1 --speed-limit 1 --speed-time 2 --retry 3 --retry-max-time 2 \
        -w '%{http_code} %{content_type}' -o "$part" "$@" "$url")
    status=$?
    # curl takes a range that the host refuses for the end of the file.
    case $said in 416*) status=33 ;; esac
    case $status in
    0)
        # What is encoded curl leaves as it is.
        if grep -qi '^content-encoding:' "$head"; then said="$said text/html"; fi
        case $said in
        *text/html*)
            echo "careful.sh: something else came in place of the file" >&2
            rm -f "$part"
            exit 1
            ;;
        esac
        rm -f "$head"
        mv "$part" "$output"
        exit
        ;;
    # The host knows no parts, or has another file.
    33) rm -f "$part" "$head" ;;
    # The connection was lost.
    18 | 52 | 56 | 92) ;;
    *) exit $status ;;
    esac
done
exit $status
