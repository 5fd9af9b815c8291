import Testing

/// Runs a line next to a scenario that passes and one that fails, and repeats it while the machine is too busy.
private func run(_ line: String) async throws -> ExecRun.Answer {
    let run = try ExecRun()
    defer { run.remove() }
    return try await run.run(
        """
        unset CI_PROJECT_DIR WORKSPACE GITHUB_WORKSPACE GITHUB_ACTIONS GITHUB_STEP_SUMMARY CI_JOB_NAME
        mkdir packs s && head -c 50000 /dev/urandom > packs/a.bin
        say() {
            printf '%s\\n' '# one' "scenario: $1" 'packs: ../packs/' 'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' \\
                'workload: [{request: {tags: [a.bin]}}]' "$2" > "s/$1.yaml"
        }
        say good 'attempts: 5'
        say bad 'budgets: {requests: max <= 0}'
        HW="$HW"; run() { "$HW" run --backend proxy "$@"; }
        line() (
            rm -rf r r.xml sum
            \(line)
        )
        measured line
        """)
}

/// What `headwind run` writes for CI systems, `headwind init` and `headwind schema`, in a shell.
@Suite("Outputs for machines", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct OutputCommandTests {
    @Test(arguments: [
        ShellCase(
            line:
                "run s/bad.yaml --output r/x --junit r.xml >&2; grep -h ATTACH r.xml r/x/junit.xml | sed s/bad-[0-9]/bad-1/g; cat r/x/metrics.txt",
            output: [
                "[[ATTACHMENT|r/x/bundles/bad-1/events.jsonl]]</system-out>\\n[[ATTACHMENT|r/x/bundles/bad-1/events.jsonl]]",
                "headwind_cell_exit_code{scenario=\"bad\",profile=\"inline\"} 99", "# EOF",
            ], errors: ["result.json, junit.xml, summary.md, metrics.txt"]),
        ShellCase(
            line:
                "export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum; printf before > sum; run s; echo $?; head -n 2 sum; tail -n 3 sum",
            output: [
                "Exit code 99", "\\n::error file=s/bad.yaml,line=2,title=FAIL%3A bad::FAIL budget:requests.max",
                "99\\nbefore\\n# Headwind: fail",
            ]),
        ShellCase(
            line: "export GITHUB_WORKSPACE=$PWD GITHUB_STEP_SUMMARY=/dev/full; cd s; run bad.yaml --format github",
            status: 99,
            output: ["::error file=s/bad.yaml,line=2,"], errors: ["Could not add to the summary of this job"],
            absent: ["Exit code"]),
        ShellCase(
            line:
                "run s/bad.yaml --output r >&2; \"$HW\" report show r --format github; \"$HW\" report show r --format openmetrics",
            output: ["::error file=s/bad.yaml,line=2,title=FAIL%3A bad::", "headwind_run_exit_code 99"]),
        ShellCase(
            line:
                "run s --list --shards 2; run s --list --shard 1/2 --format json | grep -c division; run --shard 3/2 s; echo $?",
            output: [
                "CELL  EXPECTED  BY              SHARD\\nbad", "\\n2 cells, ", "one after the other\\n1\\n64\\n",
            ],
            errors: ["'3/2' is not a shard of a run, such as 3/8"]),
        ShellCase(
            line:
                "export CI_NODE_TOTAL=3; run s; echo $?; for i in 1 2 3; do CI_NODE_INDEX=$i run s --output p/$i > said.$i 2>&1; echo $?; done; \"$HW\" report merge p/* --output r | tail -n 4; \"$HW\" report merge p/2 --output r >&2; echo $?",
            output: ["64\\n", "\\n99\\n", "\\n0\\n", "2 cells: 1 failed, 1 passed", "\\n75\\n"],
            errors: [
                "CI_NODE_INDEX= and CI_NODE_TOTAL=3 are not a valid shard", "1 of 3 shards are there, without 1/3, 3/3",
            ]),
        // The jobs of a matrix have numbers too.
        ShellCase(
            line:
                "export CI_NODE_INDEX=1 CI_NODE_TOTAL=3; for job in 'headwind: [a]' 'headwind 1/3'; do export CI_JOB_NAME=\"$job\"; run s --list > list 2> said; grep -c SHARD list; grep -c 'Shard 1/3' said; done",
            output: ["0\\n0\\n1\\n1\\n"]),
        ShellCase(
            line: "for i in 1 2 3; do run s/bad.yaml --output-root r --keep 2; done >&2; ls r | wc -l; ls r/latest/",
            output: ["3\\n", "junit.xml"], errors: ["Removed 1 older run, "]),
        ShellCase(
            line: "ln -s /proc/self/fd/1 so; run s/bad.yaml --junit so; test -L so && echo link",
            output: ["<testsuites", "link\\n"]),
        ShellCase(
            line: "run s/good.yaml --output r >&2; \"$HW\" report merge r --output m --require 2 >&2; echo $?",
            output: ["75\\n"], errors: ["Results are missing: 1 of 2 results are there: r."]),
        ShellCase(
            line:
                "sed -i 's/attempts: 5/attempts: 1/' s/good.yaml; export GITHUB_STEP_SUMMARY=sum; run s/good.yaml --suggest-budgets; code=$?; cat sum; exit $code",
            status: 98, output: ["Exit code 98: No budgets for good: "],
            errors: ["Exit code 98: No budgets for good: 1 attempt counts", ". The run itself: every check was"],
            absent: ["Exit code 0"]),
        ShellCase(
            line:
                "mkdir f; echo '<p>mine' > f/report.html; echo '{}' > f/result.json; run s/good.yaml --output f; echo $?; cat f/*; ls f",
            output: ["64\\n<p>mine\\n{}\\nreport.html\\nresult.json\\n"],
            errors: ["'result.json', 'report.html' in it do not look like files of Headwind's", "Move them away"]),
        ShellCase(
            line:
                "run s/good.yaml --output r > x; for f in r/*.*; do head -c 60 $f > x; cat x > $f; done; : > r/summary.md; run s/good.yaml --output r",
            output: ["Exit code 0"], errors: ["Reports are in r"]),
        ShellCase(
            line: "run s/bad.yaml --suggest-budgets", status: 99, errors: ["No budgets for bad: 1 attempt counts"]),
        ShellCase(
            line: "run s/good.yaml --suggest-budgets --format json", status: 64, errors: ["--suggest-budgets needs"]
        ),
        ShellCase(line: "run s/good.yaml --keep 3", status: 64, errors: ["need --output-root"]),
        ShellCase(line: "run s/good.yaml --output a --output-root b", status: 64, errors: ["give only one"]),
    ])
    func runs(_ one: ShellCase) async throws { one.check(try await run(one.line)) }

    @Test(arguments: [
        ShellCase(
            line:
                "\"$HW\" init packs >&2 && cat scenario.yaml && sed -i '/time_to/d; s/attempts: 5/attempts: 1/' scenario.yaml && run scenario.yaml",
            output: ["packs: ./packs\\n", "tags: [a.bin]", "Exit code 0"],
            errors: ["What to do next", "--suggest-budgets"]),
        ShellCase(
            line:
                "mkdir -p c/level-1 && cp packs/a.bin c/level-1 && \"$HW\" init c --output s/c.yaml >&2 && cat s/c.yaml",
            output: ["catalog: {folder: ../c, tags: by-folder}", "tags: [level-1]"]),
        ShellCase(
            line:
                "\"$HW\" pack build c2 --by-folder --output built >&2; \"$HW\" init built >&2 && cat scenario.yaml && run scenario.yaml",
            status: 65, errors: ["there is no such folder"]),
        ShellCase(
            line:
                "mkdir -p c/x && cp packs/a.bin c/x && \"$HW\" pack build c --by-folder --output built >&2 && \"$HW\" init built >&2 && cat scenario.yaml",
            output: ["packs: ./built\\n", "tags: [x]"]),
        ShellCase(
            line: "\"$HW\" init 'https://me:s3cret@a.example/p.zip?sig=s3cret#s3cret' && cat scenario.yaml",
            output: [
                "scenario.yaml\\n", "token-env: DOWNLOAD_TOKEN", "https://a.example/p.zip", "--header, '@{headers}'",
            ],
            errors: ["may be secrets"], absent: ["s3cret"]),
        ShellCase(
            line: "\"$HW\" init https://a.example/Manifest.plist && cat scenario.yaml",
            output: ["url: \"https://a.example/Manifest.plist\"", "# token-env", "tags: [level-1]"],
            errors: ["Replace level-1 with one of your tags"]),
        ShellCase(
            line:
                "echo mine > scenario.yaml; \"$HW\" init; echo $?; cat scenario.yaml; \"$HW\" init --force && head -n 1 scenario.yaml; ls -A | grep '^[.]'",
            status: 1, output: ["64\\nmine\\nscenario.yaml\\n# A first scenario"], errors: ["already exists"]),
        ShellCase(
            line: "\"$HW\" init 'ftp://s3cret@x/'", status: 64, errors: ["not the address of a file"],
            absent: ["s3cret"]
        ),
        ShellCase(line: "mkdir e; \"$HW\" init e", status: 65, errors: ["Could not write a scenario for 'e'"]),
        ShellCase(
            line: "\"$HW\" schema scenario | head -n 2; \"$HW\" schema result | tail -n 1",
            output: ["2020-12/schema", "}"]),
    ])
    func inits(_ one: ShellCase) async throws { one.check(try await run(one.line)) }

    /// The size of a file, and a deadline that a perfect client meets over 3G, at 780 kbit/s.
    @Test(arguments: [("1K", "2 min"), ("5M", "2 min"), ("7M", "160 s"), ("14000000", "5 min"), ("20M", "450 s")])
    func initWritesADeadlineThatSuffices(size: String, deadline: String) async throws {
        let answer = try await run(
            "mkdir big && truncate -s \(size) big/f.bin && \"$HW\" init big >&2 && grep -e ^deadline -e ^patience scenario.yaml"
                + " && \"$HW\" scenario check scenario.yaml")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.hasPrefix("deadline: \(deadline)\npatience: 60 s\nscenario.yaml: "), "\(answer.output)")
    }

    /// Secrets in addresses, headers, variables, a matrix and a client's output are in no file that a run writes.
    @Test func secrets() async throws {
        let answer = try await run(
            """
            printf '%s\\n' 'scenario: Fetch https://me:s3cret@cdn.example/a?sig=s3cret' 'host:' \\
                '  url: http://me:s3cret@127.0.0.1:9/m.plist?sig=s3cret' '  token-env: MY_TOKEN' \\
                '  headers: {Authorization: Bearer s3cret, X-Api-Key: s3cret}' \\
                'link: {downlink: {rate: 8 Mbit/s, delay: 5 ms}}' 'workload:' \\
                "  command: 'cat {headers} >&2; echo failed with \\$MY_TOKEN >&2; echo token=\\$MY_TOKEN https://u:s3cret@x/?k=s3cret >&2; exit 3'" 'matrix:' \\
                "  host.url: ['http://me:s3cret@127.0.0.1:9/m?sig=s3cret', 'http://127.0.0.1:9/m?token=s3cret']" \\
                "  host.headers.Authorization: [Bearer s3cret, Basic s3cret]" > s/secret.yaml
            export MY_TOKEN=s3cret GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum
            "$HW" run --help > help
            more=; for option in save-baseline history; do ! grep -q -e "--$option" help || more="$more --$option $option"; done
            run s/secret.yaml --output r --junit r.xml --suggest-budgets $more > out 2> err; status=$?
            run s/secret.yaml --output-root root --format github >> out 2>> err
            for format in text json junit markdown openmetrics github; do
                "$HW" report show r --format $format >> out 2>> err
            done
            ls r r/bundles >&2; test -s r.xml && test -s sum && echo there
            (grep -rlsF s3cret r root r.xml sum out err save-baseline history; find r root -name '*s3cret*') | sort
            exit $status
            """)
        #expect(answer.status == 99, "\(answer.errors)")
        #expect(answer.output == "there\n", "\(answer.output)")
        #expect(answer.errors.contains("metrics.txt"))
    }

    @Test("a first scenario for somebody else's host passes unchanged", arguments: [false, true])
    func startsWithAHost(asksForAFile: Bool) async throws {
        let answer = try await run(
            """
            rm -rf built ready; mkdir -p c/level-1 && cp packs/a.bin c/level-1 && "$HW" pack build c --by-folder --output built >&2 || exit
            "$HW" host built --ready-file ready >&2 & host=$!
            for turn in $(seq 200); do [ -s ready ] && break; sleep 0.05; done
            url=$(sed -n 's/.*"url" : "\\(.*\\)".*/\\1/p' ready)
            path=AssetPackManifest.plist; \(asksForAFile) && path=$(cd built; ls OnDemandResources/*)
            "$HW" init --force "$url/$path" && sed -i 's/3g/wifi/; s/attempts: 5/attempts: 1/' scenario.yaml && run scenario.yaml
            status=$?; kill $host; wait $host; exit $status
            """)
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("1 cell: 1 passed"), "\(answer.output)")
    }
}

/// Budgets from measured times, which need an otherwise idle machine.
@Suite("Suggested budgets", .timeLimit(.minutes(3)))
struct SuggestedBudgetTests {
    @Test func holdInTheirScenario() async throws {
        let one = ShellCase(
            line:
                """
                # The noise of a busy machine is a small part of these times; 98 says that it was too busy.
                sed 's/^link:.*/link: {downlink: {rate: 2 Mbit\\/s, delay: 150 ms}}/' s/good.yaml > s/slow.yaml
                run s/slow.yaml --suggest-budgets --margin 50% > b || exit
                cat b; cat b >> s/slow.yaml; run s/slow.yaml >&2; status=$?
                [ $status = 98 ] && exit 75
                exit $status
                """,
            output: [
                "# s/slow.yaml, by headwind", "# of 5 attempts over inline by proxy", "time_to_available: median <= ",
                "requests: max <= ",
            ],
            errors: ["5 attempts", "Exit code 0"])
        one.check(try await run(one.line))
    }
}
