import Foundation
import Testing

/// The built program: the bugs and files that `hunt` reports for a broken client, and `replay --shrink`.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(4)))
struct HuntCommandTests {
    private typealias Folder = HuntTestFolder

    private struct RunFacts: Decodable { let commandLine: [String] }

    private struct Report: Decodable {
        struct Bug: Decodable {
            let severity: String
            let schedule: [String]
            let scenario: String?
            let page: String?
        }
        let attempts: Int
        let bugs: [Bug]
    }

    @Test("a client that mixes editions is found, and its scenario fails until the client is mended")
    func findsAndHandsOver() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.writeClient(isCareful: false)
        let hunted = try folder.headwind(
            "hunt", "--for", "60s", "--until-found", "1", "--only", "l1", "--backend", "proxy", "--allow", "gives-up",
            "--pack-size", "200kB", "--patience", "10s", "--corpus", "corpus", "--output", "found", "--format", "json",
            "--", "sh", "client.sh", "{url}", "{output}")
        #expect(hunted.status == 99, "\(hunted.output)")
        let report = try JSONDecoder().decode(Report.self, from: Data(hunted.output.utf8))
        let bug = try #require(report.bugs.first)
        #expect(bug.severity == "wrong_data")
        #expect(!bug.schedule.isEmpty && bug.schedule.count <= 3)
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "corpus/corpus.json").path))
        let page = try #require(bug.page)
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "found/\(page)").path))
        let scenario = "found/" + (try #require(bug.scenario))
        // The page shows the command of the scenarios, not that of the hunt.
        let results = folder.url.appending(path: "found/\(page)").deletingLastPathComponent()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let run = try decoder.decode(RunFacts.self, from: Data(contentsOf: results.appending(path: "result.json")))
        let names = ["fails.yaml", "passes.yaml"]
        let paths = names.map { results.deletingLastPathComponent().appending(path: $0).path }
        #expect(Array(run.commandLine.dropFirst()) == ["run", "--backend", "proxy"] + paths)
        #expect(try folder.headwind("run", scenario).status == 99)
        // Committed in a project that lies elsewhere, it still finds the client, and a corrected one passes.
        let project = try Folder()
        defer { try? FileManager.default.removeItem(at: project.url) }
        try FileManager.default.createDirectory(
            at: project.url.appending(path: "scenarios"), withIntermediateDirectories: true)
        let bugFolder = folder.url.appending(path: scenario).deletingLastPathComponent()
        try FileManager.default.copyItem(at: bugFolder, to: project.url.appending(path: "scenarios/bug"))
        try FileManager.default.removeItem(at: project.url.appending(path: "scenarios/bug/results"))
        try project.writeClient(isCareful: false)
        #expect(try project.headwind("run", "scenarios/bug/fails.yaml").status == 99)
        // Without ranges no editions can be mixed.
        try project.write(
            "client.sh", #"curl -sf --retry 3 --retry-all-errors -o "$2" "$1" || { rm -f "$2"; exit 1; }"#)
        let whole = try project.headwind("run", "scenarios")
        #expect(whole.status == 0, "\(whole.output)")
        // Another hunt does not write into the folder of the first.
        #expect(
            try folder.headwind("hunt", "--output", "found", "--", "sh", "client.sh", "{url}", "{output}").status == 64)
    }

    @Test("a program in headwind-client's place is hunted in a scenario, and named in the command that shows the bug")
    func huntsAnotherClient() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let client = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../BrokenClients/Python/odr.py").standardized.path
        try folder.write(
            "client", "#!/bin/sh\nBROKEN_BUG=ignores_wrong_hash exec /usr/bin/python3 -B '\(client)' \"$@\"\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: "client").path)
        try folder.write(
            "level.yaml",
            """
            scenario: A level is there
            catalog: adventure
            link: wifi
            workload:
              - request: {id: level, tags: [level-1]}
              - end: level
            """)
        let words = ["hunt", "level.yaml", "--client", "./client", "--output", "found", "--backend", "proxy"]
        let hunted = try folder.run(words + ["--until-found", "1", "--only", "l1", "--for", "60s"])
        #expect(hunted.status == 99, "\(hunted.output)")
        #expect(hunted.output.hasPrefix("1. wrong data (ignores_wrong_hash): It accepts a pack whose hash differs"))
        let reproduction = /Reproduce it: headwind (run --client \S+ --backend proxy \S+)/
        let command = try #require(hunted.output.firstMatch(of: reproduction)).1
        #expect(try folder.run(command.split(separator: " ").map(String.init)).status == 99)
        #expect(try folder.headwind("hunt", "--client", "./client", "--", "true", "{url}", "{output}").status == 64)
    }

    @Test("a hunt reports no bug of a client that checks the status of each response")
    func accusesNoGoodClient() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.writeClient(isCareful: true)
        let hunted = try folder.headwind(
            "hunt", "--for", "60s", "--attempts", "40", "--only", "packet", "--backend", "proxy", "--pack-size", "64kB",
            "--output", "found", "--", "sh", "client.sh", "{url}", "{output}")
        #expect(hunted.status == 0, "\(hunted.output)")
        #expect(hunted.output.hasPrefix("No bug found in 40 attempts"))
        #expect(hunted.output.contains("Not tried: lost lookups, because"), "\(hunted.output)")
        // A scenario of the command could have secrets.
        #expect(try folder.names(in: "found") == ["hunt.json"])
    }

    @Test("a client whose interpreter does not exist is refused, and not hunted")
    func refusesAClientThatCannotBeExecuted() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.write("client", "#!/bin/sh\r\nexit 0\r\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: "client").path)
        let hunted = try folder.headwind("hunt", "--output", "found", "--", "./client", "{url}", "{output}")
        #expect(hunted.status == 65, "\(hunted.output)")
        let errors = try folder.errors
        #expect(errors.contains("Could not execute './client', because its first line names '/bin/sh\\r'"), "\(errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "found").path))
    }

    @Test("a client that removes files beside its output when it fails loses data")
    func findsHarmToOtherFiles() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        // It has no other bug that the hunt could report first: it follows redirects, decodes a compressed body, and
        // keeps its files unless the host reports an error.
        try folder.write(
            "client.sh", #"curl -sfL --compressed -m 5 -o "$2" "$1" || { [ $? != 22 ] || rm -f "$2"*; exit 1; }"#)
        let hunted = try folder.headwind(
            "hunt", "--for", "60s", "--until-found", "1", "--only", "l1", "--backend", "proxy", "--allow", "gives-up",
            "--pack-size", "64kB", "--output", "found", "--", "sh", "client.sh", "{url}", "{output}")
        #expect(hunted.status == 99 && hunted.output.hasPrefix("1. loses data (harms_other_files)"), "\(hunted.output)")
        // Corrected, it may still report an error, which the hunt allowed.
        try folder.write(
            "client.sh", #"curl -sfL --compressed -m 5 -o "$2" "$1" || { [ $? != 22 ] || rm -f "$2"; exit 1; }"#)
        for name in ["fails.yaml", "passes.yaml"] {
            let again = try folder.headwind("run", "found/bug-1-harms-other-files/\(name)")
            #expect(again.status == 0, "\(name): \(again.output)")
        }
    }

    @Test("a client that is broken only if it is killed in the pause before its next try is found")
    func findsBrokenPauses() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        // It tries again only if the connection ends early, and takes what it has if it was killed meanwhile.
        try folder.write(
            "client.sh",
            """
            cd "$TMPDIR"
            if [ -e pausing ]; then cp part "$2"; exit 0; fi
            curl -sfL --compressed -m 5 -o part "$1" && exec mv part "$2"
            [ $? = 18 ] || exit 1
            : > pausing
            sleep 1
            rm pausing
            curl -sfL --compressed -m 5 -o part "$1" && mv part "$2"

            """)
        let hunted = try folder.headwind(
            "hunt", "--for", "60s", "--until-found", "1", "--only", "l1,client", "--backend", "proxy", "--allow",
            "gives-up", "--pack-size", "64kB", "--output", "found", "--", "sh", "client.sh", "{url}",
            "{output}")
        #expect(hunted.status == 99 && hunted.output.hasPrefix("1. wrong data"), "\(hunted.output)")
        #expect(hunted.output.contains("client killed after=pack:level.bin:"), "\(hunted.output)")
    }

    @Test("a corpus that cannot be written is a note, and the bugs are reported")
    func reportsWithoutCorpus() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.write("client.sh", #"rm -rf corpus; curl -s -m 5 -o "$2" "$1"; exit 0"#)
        let hunted = try folder.headwind(
            "hunt", "--until-found", "1", "--only", "l1", "--backend", "proxy", "--pack-size", "64kB",
            "--corpus", "corpus", "--output", "found", "--", "sh", "client.sh", "{url}", "{output}")
        #expect(hunted.status == 99, "\(hunted.output)")
        let errors = try String(contentsOf: folder.url.appending(path: "errors"), encoding: .utf8)
        #expect(errors.contains("corpus.json"), "\(errors)")
    }

    @Test("attempts of a scenario with a folder of the user's run one at a time")
    func sharesNoFolder() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.addPack()
        // A second client at the same time crashes.
        try folder.write(
            "client.sh",
            #"mkdir lock || kill -SEGV $$; curl -s -m 20 --retry 2 -o "$2" "$1"; end=$?; rmdir lock; exit $end"#)
        try folder.writeScenario("mine.yaml")
        let hunted = try folder.headwind(
            "hunt", "mine.yaml", "--attempts", "20", "--only", "packet", "--allow", "gives-up", "--backend", "proxy",
            "--jobs", "8")
        // Nor is there an unconfirmed failure, which would come first.
        #expect(hunted.output.hasPrefix("No bug found in 20 attempts"), "\(hunted.output)")
    }

    @Test(
        "wrong arguments are refused",
        arguments: [
            (["hunt"], 64), (["hunt", "s.yaml", "--", "true"], 64), (["hunt", "--only", "moon", "--", "true"], 64),
            (["hunt", "--for", "0s", "--", "true"], 64), (["hunt", "none.yaml"], 65),
            (["hunt", "--output", "o", "--", "false", "{url}"], 65), (["hunt", "--exec"], 64),
            (["hunt", "--oracle", "true", "--", "true"], 64),
            (["hunt", "--exec", "--patience", "5s", "--", "true"], 64),
            (["hunt", "--exec", "--only", "l1", "--", "true"], 64),
            (["hunt", "--exec", "--forward", "0", "--", "true"], 64),
            (["hunt", "--exec", "--backend", "proxy", "--output", "o", "--", "true"], 65),
            (["hunt", "--exec", "--backend", "proxy", "--output", "o", "--", "false"], 65),
        ] as [([String], Int32)])
    func refuses(_ arguments: [String], _ status: Int32) throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        #expect(try folder.run(arguments).status == status)
        #expect(try folder.names(in: "") == ["errors", "output"])
    }

    @Test("a schedule of many lines shrinks to the one that matters")
    func shrinks() throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.addPack()
        let delays = (0..<12).map { "  - L2 conn=/a.bin down off=\($0 * 1448) tx=1 delay=\($0 + 5)ms" }
        try folder.write(
            "fails.yaml",
            """
            scenario: A cut among many delays
            packs: ./packs/
            link: {downlink: {delay: 2 ms}, uplink: {delay: 2 ms}}
            workload: {command: [curl, -sfo, "{output}", "{url}"], pack: a.bin}
            schedule:
            \(delays[..<6].joined(separator: "\n"))
              - L1 GET /a.bin from=0 try=1 cut@40000
            \(delays[6...].joined(separator: "\n"))

            """)
        let failed = try folder.headwind("run", "fails.yaml", "--backend", "proxy", "--output", "results")
        #expect(failed.status == 99, "\(failed.output)")
        // An attempt that the machine disturbs counts as one, so the bundle may be the second one's.
        let bundle = "results/bundles/\(try #require(folder.names(in: "results/bundles").first))"
        let shrunk = try folder.headwind("replay", bundle, "--shrink", "--jobs", "4", "--times", "3")
        #expect(shrunk.status == 99, "\(shrunk.output)")
        #expect(shrunk.output.contains("\n  L1 GET /a.bin from=0 try=1 cut@40000\n\n"), "\(shrunk.output)")
        #expect(try folder.headwind("run", "\(bundle)-shrunk/fails.yaml").status == 99)
    }
}
