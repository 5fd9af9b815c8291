import Foundation
import Testing

/// This version reads the files of released versions, and refuses those of later versions with the reason.
@Suite("Files of released versions", .sideBySide, .serialized, .timeLimit(.minutes(5)))
struct ReleasedFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Released")

    /// The versions whose files `Released/keep` has kept.
    static let versions =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0 != "keep" }.sorted()

    /// A command that reads a file.
    struct Reader: Sendable, CustomTestStringConvertible {
        /// A shell line, which runs in the folder of the files.
        var line: String
        /// The exit statuses after the file was read.
        var statuses: [Int32]
        /// A part of the output.
        var says: String

        init(_ line: String, _ statuses: [Int32], says: String) {
            (self.line, self.statuses, self.says) = (line, statuses, says)
        }

        var testDescription: String { line }
    }

    static let readers = [
        Reader("$HW report show run", [0], says: "2 cells: 1 failed, 1 passed"),
        Reader(
            "for f in json junit markdown openmetrics github; do $HW report show run --format $f || exit; done", [0],
            says: "fails"),
        Reader("$HW report compare run run", [0], says: "\nfails   requests"),
        Reader(
            "sed 's/Passes/Other/' passes.yaml > other.yaml; measured $RUN other.yaml --output new; "
                + "$HW report merge run new --output whole",
            [99], says: "The merged result of 2 is in whole"),
        Reader("$HW report html run --output page.html && grep -o 'cut@[0-9]*' page.html", [0], says: "cut@1198"),
        Reader("$HW report history --history history.sqlite --format csv", [0], says: "\nfails,requests,count,"),
        Reader(
            "measured $RUN passes.yaml --history history.sqlite; "
                + "$HW report history --history history.sqlite --format csv | grep -c '^passes,requests,'",
            [0], says: "\n2\n"),
        Reader("measured $HW replay bundle --trust --times 1", [97, 99], says: "playing a list of one fault"),
        Reader("$HW device show --store store", [0], says: "Downloaded            3146 of 3146  level-1\n1 packs"),
        // Nothing listens at this address.
        Reader(
            "$HW request level-1 --packs-url http://127.0.0.1:1/ --store store", [0], says: "level-1 (0 packs fetched)"),
        Reader("$HW scenario check passes.yaml", [0], says: "'Passes' is valid"),
        Reader("$HW scenario check scheduled.yaml bundle/scenario.yaml", [0], says: "2 scenarios are valid"),
        Reader("$HW profile check profile.yaml", [0], says: "'profile' is valid"),
    ]

    /// Runs a line in a copy of a version's files.
    private func run(_ line: String, of version: String) async throws -> (status: Int32, said: String) {
        let answer = try await ExecRun.line(
            """
            unset HEADWIND_HISTORY
            cp -r '\(Self.folder.path)/\(version)' files && cd files || exit
            # git keeps no empty folders.
            mkdir -p store/leases store/partial store/temporary store/users
            RUN="$HW run --backend proxy"
            \(line)
            """)
        return (answer.status, "\n\(answer.output)\(answer.errors)")
    }

    @Test func filesOfAVersionExist() { #expect(!Self.versions.isEmpty, "\(Self.folder.path)") }

    @Test(arguments: versions, readers) func isRead(version: String, reader: Reader) async throws {
        let (status, said) = try await run(reader.line, of: version)
        #expect(reader.statuses.contains(status) && said.contains(reader.says), "\(status): \(said)")
    }

    /// 98 says that something differs, which few attempts cannot tell from chance.
    @Test(arguments: versions) func areComparedWithResultsOfThisVersion(version: String) async throws {
        let line = "measured $RUN passes.yaml fails.yaml --output new > again; $HW report compare run new"
        let (status, said) = try await run(line, of: version)
        let isCompared = [0, 98].contains(status) && said.contains("\nfails   requests")
        let isRefused = status == 69 && said.contains("unlike: ")
        #expect(isCompared || isRefused, "\(status): \(said)")
    }

    /// Results of another machine or version are not compared, and the message says what differs.
    @Test(arguments: versions) func aBaselineIsRead(version: String) async throws {
        let (status, said) = try await run("measured $RUN compared.yaml --baseline baseline.json", of: version)
        let isRefused =
            status == 69
            && said.contains(
                "The baseline was measured on another kind of machine, on another link, or with other tools: ")
        #expect(status == 0 || isRefused, "\(status): \(said)")
    }

    /// A file that a later version may have written, and the commands that read it.
    struct Later: Sendable, CustomTestStringConvertible {
        /// The file.
        var file: String
        /// A shell line that turns the file into one of a later version.
        var change: String
        var readers: [String]
        /// The message after the file's name.
        var says = "a later Headwind wrote it"
        var status: Int32 = 65

        var testDescription: String { file }
    }

    static let later = [
        Later(
            file: "run/result.json",
            change: #"sed -i 's/^  "schema_version" : .*/  "schema_version" : 99,/' run/result.json"#,
            readers: ["show run", "compare run run", "html run", "merge run --output whole"].map { "report \($0)" }),
        Later(
            file: "baseline.json",
            change: #"sed -i 's/"baseline_schema_version" : 1/"baseline_schema_version" : 99/' baseline.json"#,
            readers: ["run compared.yaml --baseline baseline.json", "report compare baseline.json run"]),
        Later(
            file: "bundle/bundle.json",
            change: #"sed -i 's/"schema_version" : 1/"schema_version" : 99/' bundle/bundle.json"#,
            readers: ["replay bundle --trust"]),
        Later(
            file: "history.sqlite",
            change: "python3 -c 'import sqlite3; d = sqlite3.connect(\"history.sqlite\"); "
                + "d.execute(\"INSERT INTO grdb_migrations VALUES (\\\"99 later\\\")\"); d.commit()'",
            readers: ["report history --history history.sqlite", "run passes.yaml --history history.sqlite"]),
        Later(
            file: "store/store", change: "echo 'headwind store 99' > store/store",
            readers: ["show", "purge", "reset"].map { "device \($0) --store store" }
                + ["request level-1 --packs-url http://127.0.0.1:1/ --store store"],
            says: "A later Headwind wrote it", status: 1),
        Later(
            file: "device/device", change: "mkdir -p device/bundles && echo 'headwind device 99' > device/device",
            readers: ["show", "purge", "reset"].map { "device \($0) --store device" },
            says: "A later Headwind wrote it", status: 1),
        Later(
            file: "passes.yaml", change: "sed -i 's/^version: 1/version: 99/' passes.yaml",
            readers: ["scenario check passes.yaml", "run passes.yaml"],
            says: "this Headwind reads version 1 of scenarios; use a later Headwind"),
        Later(
            file: "profile.yaml", change: "sed -i 's/^version: 1/version: 99/' profile.yaml",
            readers: ["profile check profile.yaml", "scenario check passes.yaml"],
            says: "this Headwind reads version 1 of profiles; use a later Headwind"),
        Later(
            file: "schedule.txt", change: "sed -i 's/version=1/version=99/' schedule.txt bundle/schedule.txt",
            readers: ["scenario check scheduled.yaml", "replay bundle --trust"],
            says: "this Headwind reads version 1 of schedules; use a later Headwind"),
    ]

    @Test(arguments: later) func aLaterVersionIsReported(later: Later) async throws {
        let version = try #require(Self.versions.last)
        for reader in later.readers {
            let line =
                "\(later.change) && cp \(later.file) before && $HW \(reader); s=$?; "
                + "cmp before \(later.file) && exit $s"
            let (status, said) = try await run(line, of: version)
            let place = said.range(of: later.file).map { said[$0.upperBound...] }
            #expect(status == later.status && place?.contains(later.says) == true, "\(reader): \(status): \(said)")
        }
    }
}
