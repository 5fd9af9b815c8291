import Foundation
import Testing

/// The built program: what `hunt` says if it cannot begin, or cannot write its results.
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

    @Test("results that cannot be written are printed all the same")
    func printsWhatItCannotWrite() throws {
        let folder = try HuntTestFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.addPack()
        // The client puts a file into the place of the hunt's folder.
        try folder.write("client.sh", #"rm -rf found; : > found; curl -s -m 5 -o "$2" "$1"; exit 0"#)
        try folder.write(
            "mine.yaml",
            """
            scenario: It delivers the pack
            packs: ./packs/
            link: {downlink: {delay: 2 ms}, uplink: {delay: 2 ms}}
            workload: {command: [sh, client.sh, "{url}", "{output}"], pack: a.bin, directory: ./}

            """)
        let hunted = try folder.headwind(
            "hunt", "mine.yaml", "--until-found", "1", "--only", "l1", "--backend", "proxy", "--output", "found")
        #expect(hunted.status == 99 && hunted.output.hasPrefix("1. "), "\(hunted.output)")
        let errors = try folder.errors
        #expect(errors.contains(/headwind: Could not (create|write) '[^']*found/), "\(errors)")
    }
}
