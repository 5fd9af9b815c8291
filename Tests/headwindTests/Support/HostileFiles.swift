/// A shell script that makes files of all kinds whose texts control a terminal, and prints them with headwind.
///
/// The folder `said` has the output of each command, by number and arguments: `.out`, `.err` and `.status`.
enum HostileFiles {
    static let script = "cat > evil.py <<'PY'\n\(python)\nPY\ncat > talk.py <<'PY'\n\(talk)\nPY\n" + files + commands

    /// The texts set the title, clear the screen, begin a line, move back, and reverse the direction of writing.
    private static let python = #"""
        import glob, json, os, plistlib, sqlite3, sys
        quiet = "\u202eFORGED\u2028FORGED\u2066"
        evil = "x\x1b]0;title\x07y\x1b[2Jz\nFORGED \r\u202e\x9b31m\x85w\u2028v\x7f"
        free = {"name", "scenario", "title", "sentence", "detail", "profile", "value", "asked", "backend", "reason", "system",
                "kernel", "tool_version", "started_at", "bundle", "replay_command", "file", "cell", "command", "message",
                "processor_model", "client", "id", "method"}
        def words(value):
            if isinstance(value, dict):
                return {k: v + evil if k in free and isinstance(v, str) else words(v) for k, v in value.items()}
            if isinstance(value, list): return [v + evil if isinstance(v, str) else words(v) for v in value]
            return value
        def plist(file, change):
            data = plistlib.load(open(file, "rb")); change(data); plistlib.dump(data, open(file, "wb"), fmt=plistlib.FMT_BINARY)
        kind, place = sys.argv[1:]
        if kind == "words": print(evil, end="")
        if kind == "json":
            data = json.load(open(place)); json.dump(words(data), open(place, "w"), sort_keys=True, indent=1)
        if kind == "manifest":
            def change(data):
                for entry in data["resources"]: entry["URL"] += quiet; entry["bundleKey"] += quiet
            plist(place, change)
        if kind == "pack":
            plist(place, lambda data: data.update(Tags=[evil, "b"], CFBundleIdentifier=evil))
        if kind == "store":
            for folder, _, names in os.walk(place):
                for file in [os.path.join(folder, name) for name in names if name == ".pack.json"]:
                    data = json.load(open(file)); data["tags"] = [evil]; json.dump(data, open(file, "w"))
        if kind == "history":
            with sqlite3.connect(place) as db:
                db.execute("UPDATE cell SET name = name || ?, verdict = ?", (evil, evil))
                db.execute("UPDATE run SET started_at = started_at || ?", (evil,))
                db.execute("UPDATE fingerprint SET json = json_set(json, '$.system', ?)", (evil,))
        """#

    /// Requests, some of which reach the log.
    private static let talk = #"""
        import socket, sys
        evil = b"x\x1b]0;title\x07\x1b[2J\xc2\x9b31m\xe2\x80\xaey\x85"
        for head in [b"GET /" + evil + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /\xc2\x9b\xe2\x80\xae HTTP/1.1\r\nHost: a\r\n\r\n",
                     b"GET /%1b[2J%0aFORGED HTTP/1.1\r\nHost: a\r\n\r\n", b"CONNECT " + evil + b":80 HTTP/1.1\r\n\r\n",
                     b"CONNECT a\xc2\x9b31m\xe2\x80\xae.invalid:80 HTTP/1.1\r\n\r\n", evil + b"\r\n\r\n"]:
            try:
                with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as peer:
                    peer.settimeout(5); peer.sendall(head); peer.recv(4096)
            except OSError: pass
        """#

    private static let files = #"""
        unset CI GITHUB_ACTIONS GITHUB_STEP_SUMMARY HEADWIND_HISTORY
        evil=$(python3 evil.py words -; echo .); evil=${evil%.}
        mkdir packs files said && head -c 50000 /dev/urandom > packs/a.bin && cp packs/a.bin files
        printf '{"bundle":"com.x","tags":{"one":["a.bin"]}}' > files/tags.json
        printf '%s\n' 'scenario: bad' 'packs: packs/' 'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' \
            'workload: [{request: {tags: [a.bin]}}]' 'budgets: {requests: max <= 0}' > bad.yaml
        measured "$HW" run bad.yaml --backend proxy --output r --history h.sqlite > said/run.out 2> said/run.err
        "$HW" pack build files --output built > said/build.out 2> said/build.err
        serve() {
            name=$1; shift; "$HW" "$@" --ready-file $name.ready > said/$name.out 2> said/$name.err & pid=$!
            for turn in $(seq 1000); do [ -s $name.ready ] && break; sleep 0.01; done
            port=$(python3 -c "import re,sys; print(re.search(r'1:(\d+)', open(sys.argv[1]).read()).group(1))" $name.ready)
        }
        serve host host built --listen 127.0.0.1:0
        "$HW" request one --packs-url http://127.0.0.1:$port/ --store dev > said/request.out 2> said/request.err
        python3 talk.py $port; kill $pid; wait $pid
        serve proxy proxy --profile 3g --listen 127.0.0.1:0
        python3 talk.py $port; kill $pid; wait $pid
        cp -r built hostile; mkdir show.assetpack
        python3 -m zipfile -e hostile/OnDemandResources/*.assetpack show.assetpack
        find show.assetpack -name Info.plist -exec python3 evil.py pack {} \;
        python3 evil.py manifest hostile/AssetPackManifest.plist; python3 evil.py store dev
        cp -r r clean; python3 evil.py history h.sqlite
        # Its number is the attempt's, and one that was disturbed counts as well.
        [ -d r/bundles/bad-1 ] || mv -T r/bundles/bad-* r/bundles/bad-1
        python3 evil.py json r/result.json; python3 evil.py json r/bundles/bad-1/bundle.json
        printf 'profile: evil\ntitle: "a\\e]0;t\\ab\\nFORGED\\x9b\\u202e"\nsource: "s\\e[2J\\nFORGED"\n' > evil.yaml
        printf 'downlink: {rate: 8 Mbit/s}\n' >> evil.yaml
        cp bad.yaml "bad$evil.yaml"; echo "- $evil" > list.yaml

        """#

    private static let commands = #"""
        number=100
        say() {
            number=$((number + 1)); file=said/$number-$(printf %s "$*" | tr -cd 'a-z ' | tr ' ' - | cut -c1-40)
            "$HW" "$@" > "$file.out" 2> "$file.err" < /dev/null; echo $? > "$file.status"
        }
        for format in text json; do
            say pack show hostile --format $format; say pack show show.assetpack --format $format
            say pack check hostile --format $format; say device show --store dev --format $format
            say report history --history h.sqlite --format $format; say profile show ./evil.yaml --format $format
            say report compare clean r --format $format
        done
        for format in text json junit markdown html openmetrics github; do say report show r --format $format; done
        say report compare clean r --format markdown; say report history --history h.sqlite --format csv
        say report show "r$evil"; say report history --history h.sqlite --cell "$evil"
        say report merge r clean --output "merged$evil"; say report html r --output "page$evil"
        say pack show hostile/AssetPackManifest.plist; say pack show "built$evil"; say pack check "built$evil"
        say device purge --store dev; say device show --store "$evil"
        say replay r/bundles/bad-1 --times 1; say replay "r$evil"
        say profile check ./evil.yaml "./bad$evil.yaml"; say profile show "$evil"; say profile import "$evil"
        say run "bad$evil.yaml" --only "$evil"; say run list.yaml; say run bad.yaml --baseline "$evil"
        say run bad.yaml --jobs "$evil"; say run bad.yaml "--jobs=$evil"; say run bad.yaml --deadline "$evil"
        say run --suite "$evil"; say run "--$evil"; say "$evil"; say check --only "$evil" -- true
        say exec --profile "$evil" -- true; say exec --profile 3g --backend proxy -- "./$evil"; say exec "--$evil" -- true
        say request "$evil" --packs-url "http://127.0.0.1:9/$evil"; say request "$evil" --packs-url "ftp://127.0.0.1:9/$evil"
        say host "$evil"; say link show "$evil"; say link apply "$evil" --profile "$evil"; say init "$evil"
        rm -f *.py *.ready
        """#
}
