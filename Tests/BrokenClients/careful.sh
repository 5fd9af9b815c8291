#!/bin/sh
# Downloads a file with curl, and handles errors on the way: careful.sh URL OUTPUT [CURL'S OPTIONS].
#
# It resumes an interrupted download, up to five times, if the file has not changed. It tries again when a busy host
# says so. It ends after two seconds of silence. It takes no HTML page for the file, and no http for https.

url=$1 output=$2 part=$2.part head=$2.head
shift 2
# A file that is requested by https is never fetched by http, wherever the host leads.
case $url in https:*) set -- --proto-redir =https "$@" ;; esac
# Two runs at once would write to one partial file.
exec 9>"$part.lock"
flock -n 9 || {
    echo "careful.sh: another one downloads it" >&2
    exit 1
}
for pause in 0 0.3 0.5 0.7 1; do
    sleep "$pause"
    # curl tries again itself, so there may be several heads: the last one belongs to the part.
    # In its first two seconds curl would try again from this try's first byte. The limit for silence is as long.
    tag=$(sed -n 's/^[Ee][Tt]ag: *\("[^"]*"\).*/\1/p' "$head" 2>/dev/null | tail -n 1)
    # A weak tag, or none, does not prove that the file is the same; a date does.
    [ -n "$tag" ] || tag=$(sed -n 's/^[Ll]ast-[Mm]odified: *//p' "$head" 2>/dev/null | tr -d '\r' | tail -n 1)
    [ -n "$tag" ] || rm -f "$part"
    resumes=
    [ ! -s "$part" ] || resumes=yes
    said=$(curl -sSf -L -C - -D "$head" -H "If-Range: $tag" --connect-timeout 1 --speed-limit 1 --speed-time 2 --retry 3 --retry-max-time 2 \
        -w '%{http_code} %{content_type}' -o "$part" "$@" "$url")
    status=$?
    # curl takes a refused range for the end of the file.
    case $said in 416*) status=33 ;; esac
    # curl takes a part that is as long as the host's new file for that file.
    case $resumes$status$said in yes0200*) status=33 ;; esac
    # The host has another file, whose head is here already, and the connection was lost before its first byte.
    case $resumes$status$said in yes18200* | yes56200* | yes92200*) status=33 ;; esac
    case $status in
    0)
        # curl does not decode an encoded body here.
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
    # The host supports no ranges, or has another file.
    33) rm -f "$part" "$head" ;;
    # The connection was lost.
    18 | 52 | 56 | 92) ;;
    *) exit $status ;;
    esac
done
exit $status
