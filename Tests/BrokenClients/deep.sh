#!/bin/sh
# Downloads a file with curl in pieces, and can have one bug which no single fault shows: deep.sh [--bug NAME] URL OUTPUT.
#
# Each try brings a piece: the rest of the file, as far as it comes. It goes on only if the ETag is still the same. It
# tries again, up to six times, after 429, 5xx, a lost connection, and three seconds of silence. The bugs:
#
# piece  appends the piece of the last try once more if a try brings nothing: a cut, then a 503
# joins  keeps the old part if the answer with a new edition is lost before its first byte: a new edition, then a cut

bug=
[ "$1" != --bug ] || { bug=$2 && shift 2; }
url=$1 output=$2
part=$2.part piece=$2.piece head=$2.head
rm -f "$part" "$piece" "$head"
: >"$part"
tag=
# Prints a field of the last head.
field() { sed -n "s/^$1: *\([^\r]*\).*/\1/Ip" "$head" 2>/dev/null | tail -n 1; }
for pause in 0 0.2 0.3 0.5 0.7 1; do
    sleep "$pause"
    have=$(stat -c %s "$part")
    set -- -sS -f -L --connect-timeout 3 --speed-limit 1 --speed-time 3 -D "$head" -o "$piece" -H 'Accept-Encoding: identity'
    [ "$have" = 0 ] || set -- "$@" -H "Range: bytes=$have-" -H "If-Range: $tag"
    rm -f "$head"
    [ "$bug" = piece ] || rm -f "$piece"
    said=$(curl "$@" -w '%{http_code} %{content_type}' "$url")
    status=$?
    # Without an answer there is no new piece.
    case $said in 000*) rm -f "$piece" ;; esac
    case $said in
    *text/html* | *multipart*)
        echo "deep.sh: something else came in place of the file" >&2
        exit 1
        ;;
    esac
    if [ -n "$(field content-encoding)" ]; then
        echo "deep.sh: an encoded body" >&2
        exit 1
    fi
    new=$(field etag)
    case $said in
    200*)
        [ "$bug" = joins ] && [ ! -s "$piece" ] || : >"$part"
        tag=$new
        ;;
    206*)
        case $(field content-range) in
        "bytes $have-"*) [ "$new" = "$tag" ] || status=1000 ;;
        *) status=1000 ;;
        esac
        ;;
    416*) status=1000 ;;
    429* | 5*)
        after=$(field retry-after)
        case $after in [1-9]) sleep "$after" ;; esac
        [ "$bug" = piece ] || continue
        ;;
    4*) exit 22 ;;
    esac
    if [ "$status" = 1000 ]; then
        # The host has another file, or other bytes than these.
        : >"$part"
        tag=
        continue
    fi
    [ ! -f "$piece" ] || cat "$piece" >>"$part" || exit 1
    # Without a strong ETag, the next try cannot go on.
    case $tag in '"'*) ;; *) [ "$status" = 0 ] || : >"$part" ;; esac
    if [ "$status" = 0 ]; then
        mv "$part" "$output"
        rm -f "$piece" "$head"
        exit
    fi
done
echo "deep.sh: gave up" >&2
exit 1
