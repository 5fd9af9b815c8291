import Foundation
import SystemPackage
import Testing

@testable import headwind

/// What `hunt` says, and what it leaves, if it cannot begin, cannot write its results, or is interrupted.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct HuntTroubleTests {
    private static let level = """
        scenario: A level is there
        catalog: adventure
        link: wifi
        workload: [{request: {id: level, tags: [level-1]}}]

        """

    private func writeClient(_ name: String, _ text: String, in folder: HuntTestFolder) throws {
        try folder.write(name, "#!/bin/sh\n\(text)\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: name).path)
    }

    @Test(
        "a hunt that cannot begin says why, and leaves nothing",
        arguments: [
            (["several.yaml"], 65, "'several.yaml' has 2 cells"),
            (["machine.yaml", "--only", "l1"], 64, "--only l1 concerns Headwind's host, and 'machine.yaml' has none"),
            // The command to try has the same client and backend.
            (
                ["level.yaml", "--client", "./mine", "--backend", "proxy"], 65,
                "Try it with 'headwind run --client ./mine --backend proxy level.yaml'."
            ),
            (["level.yaml", "--corpus", "corpus"], 65, "corpus.json': it is not a regular file"),
        ] as [([String], Int32, String)])
    func saysWhy(_ arguments: [String], _ status: Int32, _ words: String) throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.write("level.yaml", Self.level)
        try folder.write("several.yaml", Self.level + "matrix: {device.capacity: [256 MB, 512 MB]}\n")
        try folder.write(
            "machine.yaml", "scenario: A program\nnetwork: machine\nlink: wifi\nworkload: {command: ['true']}\n")
        // A client that reports success, and ends with an error.
        let client = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../BrokenClients/Python/odr.py").standardized.path
        try writeClient("mine", "/usr/bin/python3 -B '\(client)' \"$@\"; exit 3", in: folder)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "corpus"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "corpus/corpus.json").path, withDestinationPath: "/dev/null")
        let before = try folder.names(in: "")
        #expect(try folder.run(["hunt"] + arguments).status == status)
        let errors = try folder.errors
        #expect(errors.contains(words), "\(errors)")
        #expect(try folder.names(in: "") == (before + ["errors", "output"]).sorted())
    }

    @Test("of two hunts that begin in one folder, the second is refused, and the pack of the first stays")
    func keepsItsFolder() throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let path = FilePath(folder.url.path).appending("found")
        let (first, second) = (try HuntFolder(path), try HuntFolder(path))
        try first.make()
        let failure = #expect(throws: CommandFailure.self) { try second.make() }
        #expect(failure?.status == .usage)
        #expect(
            failure?.description
                == "Could not write to '\(path)': another hunt uses it. Choose a new folder with --output.")
        #expect(try folder.names(in: "found") == ["packs"])
        // The pack stays if the process is ended at once, so that is said.
        let view = HuntView(isInteractive: false)
        #expect(view.remains(in: first) == "'\(path)/packs' remains: remove it.")
        view.made("/tmp/headwind-1")
        let scratch = "'/tmp/headwind-1' remains; the next run removes it."
        #expect(view.remains(in: first) == "\(scratch) '\(path)/packs' remains: remove it.")
        first.tidy()
        #expect(view.remains(in: first) == scratch)
        #expect(try folder.names(in: "") == [])
    }

    @Test("a hunt that is interrupted while it makes its pack leaves none")
    func leavesNoPack() throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let packs = folder.url.appending(path: "found/packs").path
        let words = ["--pack-size", "16MiB", "--output", "found", "--", "curl", "-sfo", "{output}", "{url}"]
        let hunted = try folder.interrupt(["hunt", "--backend", "proxy"] + words) {
            guard FileManager.default.fileExists(atPath: packs) else { return false }
            // The pack takes longer than that.
            Thread.sleep(forTimeInterval: 0.05)
            return true
        }
        #expect(hunted.status == 130)
        #expect(!FileManager.default.fileExists(atPath: packs))
    }

    @Test("a hunt that is interrupted while it writes scenarios reports its bugs, and blames no file")
    func reportsWhatItFoundBefore() throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        // The client takes time as soon as the scenarios of the first bug run.
        try folder.write(
            "client.sh",
            """
            for bug in found/bug-*/fails.yaml; do [ ! -e "$bug" ] || sleep 5; done
            curl -s -m 5 -o "$2" "$1"; exit 0

            """)
        let words = ["--until-found", "2", "--only", "l1", "--backend", "proxy", "--pack-size", "64kB"]
        let client = ["--output", "found", "--", "sh", "client.sh", "{url}", "{output}"]
        let hunted = try folder.interrupt(["hunt"] + words + client) {
            let found = (try? folder.names(in: "found")) ?? []
            return found.contains { $0.hasPrefix("bug-") && (try? folder.names(in: "found/\($0)"))?.isEmpty == false }
        }
        let errors = try folder.errors
        #expect(hunted.status == 130 && !errors.contains("could not write"), "\(errors)")
        // Others may be confirmed at the same time.
        #expect(hunted.output.contains(/\n[2-9] bugs found in .*; interrupted\./), "\(hunted.output)")
        let report = try String(contentsOf: folder.url.appending(path: "found/hunt.json"), encoding: .utf8)
        #expect(report.contains(/"interrupted" ?: ?true/), "\(report)")
    }

    @Test("results that cannot be written are printed all the same")
    func printsWhatItCannotWrite() throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.addPack()
        // The client puts a file into the place of the hunt's folder.
        try folder.write("client.sh", #"rm -rf found; : > found; curl -s -m 5 -o "$2" "$1"; exit 0"#)
        try folder.writeScenario("mine.yaml")
        let hunted = try folder.headwind(
            "hunt", "mine.yaml", "--until-found", "1", "--only", "l1", "--backend", "proxy", "--output", "found")
        #expect(hunted.status == 99 && hunted.output.hasPrefix("1. "), "\(hunted.output)")
        let errors = try folder.errors
        #expect(errors.contains(/headwind: Could not (create|write) '[^']*found/), "\(errors)")
    }
}
