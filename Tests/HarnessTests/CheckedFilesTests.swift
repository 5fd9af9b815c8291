import Results
import Testing

/// Checks of files that exist before the user's client starts.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(2)))
struct CheckedFilesTests {
    /// A client that replaces an old edition by the whole new one keeps it.
    ///
    /// A client that writes over it, or removes all files whose names match, loses it.
    ///
    /// If a client takes the old edition for the pack, it requests nothing, and the check is not observable.
    @Test(arguments: [
        ("curl -sSf -o \"$2.new\" \"$1\" && mv \"$2.new\" \"$2\"", "holds", "holds"),
        ("curl -sSf -o \"$2\" \"$1\"", "fails loses_data", "holds"),
        ("rm -f \"$2\"*; curl -sSf -o \"$2\" \"$1\"", "fails loses_data", "fails loses_data"),
        ("[ -e \"$2\" ] || exec curl -sSf -o \"$2\" \"$1\"", "not_observable", "holds"),
    ])
    func earlierFilesAreKept(_ script: String, _ edition: String, _ other: String) async throws {
        let report = try await ClientCheckingTests.check(
            script,
            asking: [
                "good": "check: {says: Downloads, pack: level.bin, expect: available, is: control}",
                "edition": """
                faults: [{pack: level.bin, cut: {at: 40 %}}]
                check: {says: Keeps it, pack: level.bin, expect: {error: any, keeps: [old-edition]}}
                """,
                "other": """
                faults: [{pack: level.bin, try: 1, late-head: 100 ms}]
                check: {says: Keeps it, pack: level.bin, expect: {keeps: [other-file]}}
                """,
            ])
        #expect(
            ClientCheckingTests.answers(report) == ["good": "holds", "edition": edition, "other": other], "\(report)")
        let bugs = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.name, $0.bug) })
        #expect(bugs["edition"] == (edition.hasPrefix("fails") ? .losesOldEdition : .some(nil)), "\(report)")
        #expect(bugs["other"] == (other.hasPrefix("fails") ? .harmsOtherFiles : .some(nil)), "\(report)")
    }

    /// A client that refuses to replace a file, or asks whether it is still good, shows nothing, and is not blamed.
    @Test(arguments: [
        ("[ -e \"$2\" ] && exit 1; exec curl -sSf -o \"$2\" \"$1\"", "it left the existing file alone"),
        ("exec curl -sSf -z \"$2\" -o \"$2\" \"$1\"", "it asked whether the existing file was still good"),
    ])
    func aClientThatKeepsTheFileIsNotObservable(_ script: String, _ detail: String) async throws {
        let check = "check: {says: Keeps it, pack: level.bin, expect:"
        let report = try await ClientCheckingTests.check(
            script,
            asking: [
                "good": "\(check) available, is: control}", "private": "\(check) {keeps: [private-edition]}}",
                "edition": "faults: [{pack: level.bin, cut: {at: 40 %}}]\n\(check) {error: any, keeps: [old-edition]}}",
                "link": "\(check) {keeps: [linked-file]}}",
                "part": "\(check) {keeps: [part]}, needs: [partial-request]}",
            ])
        for row in report.rows where row.name != "good" { #expect(row.answer == .notObservable, "\(row)") }
        #expect(report.exitCode == 0, "\(report)")
        #expect(report.rows.first { $0.name == "private" }?.detail.hasPrefix(detail) == true, "\(report)")
    }

    /// A client whose program crashes on an existing file does not refuse to replace it.
    @Test func aCrashOnAnExistingFileIsACrash() async throws {
        let check = "check: {says: Keeps it, pack: level.bin, expect:"
        let report = try await ClientCheckingTests.check(
            "if [ -e \"$2\" ]; then sh -c 'kill -SEGV $$'; exit $?; fi; exec curl -sSf -o \"$2\" \"$1\"",
            asking: [
                "good": "\(check) available, is: control}",
                "edition": "faults: [{pack: level.bin, cut: {at: 40 %}}]\n\(check) {error: any, keeps: [old-edition]}}",
            ])
        #expect(ClientCheckingTests.answers(report) == ["good": "holds", "edition": "fails crashes"], "\(report)")
    }

    /// The rest of a partial file that ends beyond 4 GiB: `$n` is where it ends.
    @Test(arguments: [
        ("curl -sSf -C - -o \"$2\" \"$1\"", "holds", nil),
        ("curl -sSf -r \"$n\"- \"$1\" >> \"$2\"", "holds", nil),
        ("curl -sSf -o \"$2\" \"$1\"", "not_observable", nil),
        ("curl -sSf -r $((n % 4294967296))- -m 2 \"$1\" >> \"$2\"", "fails gives_up", ClientBug.wrapsLengths),
        (
            "curl -sSf -r $((n > 2147483647 ? 2147483647 : n))- -m 2 \"$1\" >> \"$2\"", "fails gives_up",
            .resumesWrongOffset
        ),
        // Replaces the whole file by the right rest.
        ("curl -sSf -r \"$n\"- -o \"$2\" \"$1\"", "fails wrong_data", nil),
    ])
    func aPartThatEndsBeyond4GiBIsResumed(_ script: String, _ answer: String, _ bug: ClientBug?) async throws {
        let report = try await ClientCheckingTests.check(
            "n=$(stat -c %s \"$2\" 2> /dev/null || echo 0); " + script,
            asking: [
                "good": "check: {says: Downloads, pack: level.bin, expect: available, is: control}",
                "part": """
                faults: [{pack: level.bin, leading-zeros: 4 GiB}]
                check: {says: Goes on, pack: level.bin, expect: {keeps: [part]}, needs: [partial-request]}
                """,
            ])
        let row = try #require(report.rows.first { $0.name == "part" })
        #expect(ClientCheckingTests.answers(report)["part"] == answer, "\(report)")
        #expect(row.bug == bug, "\(row)")
    }
}
