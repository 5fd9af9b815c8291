import Testing

/// `headwind check` in a shell: its exit statuses and the files that it writes.
@Suite("headwind check", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct CheckCommandTests {
    /// Runs a line next to a suite of two checks, and repeats it while the machine is too busy.
    private func run(_ line: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        return try await run.run(
            """
            mkdir suite packs && head -c 50000 /dev/urandom > packs/a.bin
            say() {
                printf '%s\\n' "scenario: $1" 'packs: ../packs/' 'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' \\
                    'workload: [{request: {tags: [a.bin]}}]' "$2" > "suite/$1.yaml"
            }
            say good 'check: {says: Downloads, pack: a.bin, is: control}'
            printf '%s\\n' 'scenario: missing' 'packs: ../packs/' 'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' \\
                'workload: [{request: {tags: [a.bin]}}]' 'faults: [{pack: a.bin, status: 404}]' \\
                'check: {says: Ends with an error, pack: a.bin, expect: error}' > suite/missing.yaml
            line() (
                \(line)
            )
            measured line
            """)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var line: String
        var status: Int32
        var output = ""
        var errors = ""

        var testDescription: String { line }
    }

    @Test(arguments: [
        Case(
            line: "\"$HW\" check --suite suite --except miss --list; \"$HW\" check --suite suite --except none --list",
            status: 64, output: "good", errors: "No check matches 'none'"),
        Case(
            line: "\"$HW\" check --suite suite -- curl -sf -o '{output}' '{url}'", status: 0,
            output: "2 checks in"),
        Case(
            line: "\"$HW\" check --suite suite -- curl -s -o '{output}' '{url}'", status: 99,
            output: "FAILS: 1 check by 1 cause, the worst first"),
        Case(
            line:
                "\"$HW\" check --suite suite --output r -- curl -s -o '{output}' '{url}' >&2; ls r; exec grep -c failure r/junit.xml",
            status: 0, output: "check.json"),
        // The page reports the check, also when it is written again, and never a later run.
        Case(
            line:
                "\"$HW\" check --suite suite --output r -- curl -s -o '{output}' '{url}' >&2; grep -c '\"checked\":' r/report.html; "
                + "rm r/report.html; \"$HW\" report html r; grep -c '<h1>Fails' r/report.html; "
                + "\"$HW\" run suite/good.yaml --output r >&2 || exit; ls r/check.json >&2; grep -c '\"checked\":' r/report.html",
            status: 1, output: "1\n1\n0\n", errors: "check.json"),
        Case(
            line: "\"$HW\" check --suite suite --within 29s -- curl -s -o '{output}' '{url}'", status: 64,
            errors: "from --patience (30 s) to 24h"),
        // The printed command repeats exactly the one check.
        Case(
            line:
                "\"$HW\" check --suite suite --patience 9s -- curl -s -o '{output}' '{url}' > said; eval \"$(sed -n 's/^ *again: headwind/\"$HW\"/p' said)\"; "
                + "s=$?; ls results >&2; exit $s", status: 99, output: "FAILS: 1 check by 1 cause", errors: "bundles"),
        Case(
            line: "\"$HW\" check --suite suite --format json --only good -- curl -sf -o '{output}' '{url}'", status: 0,
            output: "\"answer\" : \"holds\""),
        Case(
            line: "\"$HW\" check --suite suite -- false", status: 99,
            output: "does not download over a good link"),
        Case(
            line:
                "printf '#!/bin/sh\\nexec curl -sf -o \"$HEADWIND_OUTPUT\" \"$HEADWIND_URL\"\\n' > mine; chmod +x mine; "
                + "\"$HW\" check --suite suite -- ./mine", status: 0, output: "HOLDS (2)"),
        // A link to a device stays a link.
        Case(
            line:
                "mkdir -p r; ln -sf /dev/null r/check.json; \"$HW\" check --suite suite --only good --output r -- curl -sf -o '{output}' '{url}' >&2 "
                + "|| exit; test -L r/check.json && echo link; ls -A r | grep '^[.]'; grep -c '<testcase' r/junit.xml",
            status: 0, output: "link\n1\n"),
        // The file of an earlier check is replaced; a file that is not one is kept.
        Case(
            line:
                "mkdir r; printf '{\"command\" : [], \"patience_seconds\" : 1}' > r/check.json; \"$HW\" check --suite suite --only good --output r "
                + "-- curl -sf -o '{output}' '{url}' >&2 && exec grep -c '\"answer\"' r/check.json", status: 0,
            output: "1"),
        Case(
            line:
                "mkdir r; echo mine > r/check.json; \"$HW\" check --suite suite --output r -- touch ran; s=$?; ls r; cat r/check.json; exit $s",
            status: 64, output: "check.json\nmine\n", errors: "'check.json' in it does not look like a file of"),
        Case(
            line: "mkdir -p r/check.json; \"$HW\" check --suite suite --output r -- touch ran; s=$?; ls; exit $s",
            status: 64, errors: "Could not write '--output r/check.json': it is a folder"),
        Case(
            line: "\"$HW\" check --suite suite --output /proc/none -- curl -sf -o '{output}' '{url}'", status: 64,
            errors: "Could not write '--output /proc/none/check.json': could not create its folder"),
        Case(line: "\"$HW\" check --suite suite", status: 64, errors: "Put -- before the client"),
        Case(
            line: "\"$HW\" check --suite suite --only nothing -- true", status: 64,
            errors: "No check matches 'nothing'. 'headwind check --list' prints all 2."),
        Case(
            line: "\"$HW\" check --suite suite --only mising -- true", status: 64,
            errors: "Did you mean 'missing'?"),
        Case(
            line: "\"$HW\" check --suite suite --list", status: 0,
            output: "good     Downloads\nmissing  Ends with an error\n"),
        Case(
            line: "\"$HW\" check --suite suite --list --only missing --format json | tr -d ' \n'", status: 0,
            output: "{\"name\":\"missing\",\"says\":\"Endswithanerror\"}],\"schema_version\":1}"),
        // The check of TLS without faults belongs only to the checks that need it.
        Case(
            line:
                "for only in body-short-once tls-expired; do \"$HW\" check --list --only $only | grep -c '^tls '; done; "
                + "\"$HW\" check --list --except tls --except http2 --except redirect-to-http | grep -c '^good-link '",
            status: 0, output: "0\n1\n1\n"),
        Case(line: "\"$HW\" check --suite suite -- curl '{urll}'", status: 65, errors: "'{urll}' in the command"),
        Case(
            line: "\"$HW\" check --suite suite -- ./nobody '{url}'", status: 65,
            errors: "'./nobody': there is no such file"),
        Case(
            line: "printf '#!/bin/sh\n' > get; chmod +x get; \"$HW\" check --suite suite -- get '{url}'", status: 65,
            errors: "There is no program 'get' in PATH. Did you mean './get'?"),
        Case(
            line: ": > get; \"$HW\" check --suite suite -- ./get '{url}'", status: 65, errors: "Run 'chmod +x ./get'"),
        // A script with CR LF names an interpreter that does not exist.
        Case(
            line:
                "printf '#!/bin/sh\\r\\nexit 0\\r\\n' > get; chmod +x get; \"$HW\" check --suite suite -- ./get '{url}'",
            status: 65,
            errors: "Could not execute './get', because its first line names '/bin/sh\\r': No such file or directory; "
                + "remove the carriage returns"),
        // What only the system can say is known after the first attempt, and is not worth another try.
        Case(
            line: "printf '#!nowhere/sh\\n' > get; chmod +x get; \"$HW\" check --suite suite -- ./get '{url}'",
            status: 65, errors: "ould not start the client: '"),
        Case(
            line: "\"$HW\" check --suite suite -- './get.py {url} {output}'", status: 64,
            errors: "Give each word as a separate argument: headwind check -- ./get.py"),
        Case(
            line: "\"$HW\" check --suite suite --only good -- false", status: 99,
            errors: "No word of the command has '{url}'"),
        Case(
            line:
                "export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum; \"$HW\" check --suite suite --only good -- false; cat sum",
            status: 0,
            output:
                "::error title=headwind check%3A gives up::It ends with an error although it could continue.%0Ain: good"
        ),
        Case(
            line:
                "export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum; \"$HW\" check --suite suite --only good -- false > out; head -n 1 sum",
            status: 0, output: "# Headwind: fail"),
        Case(line: "\"$HW\" check --suite suite --patience 0s -- true", status: 64, errors: "--patience is between"),
        Case(line: "rm suite/good.yaml; \"$HW\" check --suite suite -- true", status: 65, errors: "'is: control'"),
    ])
    func endsWith(_ one: Case) async throws {
        let answer = try await run(one.line)
        #expect(answer.status == one.status, "\(answer.output)\(answer.errors)")
        #expect(one.output.isEmpty || answer.output.contains(one.output), "\(answer.output)\(answer.errors)")
        #expect(one.errors.isEmpty || answer.errors.contains(one.errors), "\(answer.errors)")
    }
}
