import Testing

/// Commands that write to the same folder of results, in a shell.
@Suite("One writer for a folder of results", .sideBySide, .serialized, .timeLimit(.minutes(3)))
struct ResultsLockCommandTests {
    private static let files = #"""
        mkdir packs && head -c 50000 /dev/urandom > packs/a.bin
        say() { printf '%s\n' "scenario: $1" 'packs: packs/' 'link: {}' "workload: $2" > $1.yaml; }
        say good '[{request: {tags: [a.bin]}}]'
        say slow "{command: [sh, -c, 'while ! test -e $PWD/go; do sleep 0.05; done; exit 4'], pack: a.bin}"
        measured "$HW" run good.yaml --backend proxy --output x > said 2>&1
        begin() {
            "$HW" run slow.yaml --backend proxy --output $1 > said 2>&1 & first=$!
            for turn in $(seq 2000); do [ -s $1/.headwind-run ] && break; sleep 0.01; done
        }

        """#

    @Test func otherWritersAreRefusedDuringARun() async throws {
        let answer = try await ExecRun.line(
            Self.files + #"""
                begin r; echo "first $first"
                "$HW" run good.yaml --backend proxy --output r; echo run $?
                "$HW" check --output r --only short -- true '{url}'; echo check $?
                "$HW" report merge x --output r > said; echo merge $?
                "$HW" report html r; echo html $?
                touch go; wait $first; echo ended $?; ls -A r
                "$HW" report html r 2> said; echo html $?; ls -A r | grep headwind
                """#)
        let words = answer.output.split(separator: "\n").map(String.init)
        #expect(words.contains("run 75") && words.contains("check 75") && words.contains("merge 75"))
        #expect(words.contains("html 75") && words.contains("ended 99") && words.contains("html 0"))
        #expect(words.contains("bundles") && !words.contains(".headwind-run"), "\(answer.output)")
        let process = words.first?.split(separator: " ").last ?? ""
        let lines = answer.errors.split(separator: "\n")
        #expect(lines.count == 4, "\(answer.errors)")
        let sentence = "another run writes to it (process \(process), "
        #expect(lines.allSatisfy { $0.contains(sentence) && $0.contains("run slow.yaml") }, "\(answer.errors)")
    }

    @Test func aKilledRunBlocksNoWriter() async throws {
        let answer = try await ExecRun.line(
            Self.files + #"""
                begin k; kill -9 $first; wait $first 2> said; ls -A k | grep headwind
                "$HW" report merge x --output k > said; echo merge $?; ls -A k | grep headwind
                touch go
                """#)
        #expect(answer.output == ".headwind-run\nmerge 0\n", "\(answer.output)\(answer.errors)")
    }

    @Test func onlyWrittenFilesAreNamed() async throws {
        let answer = try await ExecRun.line(
            Self.files + #"""
                say late "{command: [sh, -c, 'mkdir $PWD/r/report.html; exit 4'], pack: a.bin}"
                "$HW" run late.yaml --backend proxy --output r > said; rmdir r/report.html; ls r
                """#)
        #expect(
            answer.errors.contains("Reports are in r: result.json, junit.xml, summary.md, metrics.txt, events.jsonl."))
        #expect(!answer.output.contains("report.html"))
    }
}
