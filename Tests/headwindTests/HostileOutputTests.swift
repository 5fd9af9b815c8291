import Foundation
import Testing
import Wording

/// What headwind prints of texts in files and from the network that others control.
@Suite("Hostile texts on a terminal", .sideBySide, .serialized, .timeLimit(.minutes(5)))
struct HostileOutputTests {
    @Test func noCommandPrintsControlCharacters() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let answer = try await run.run(HostileFiles.script)
        #expect(answer.errors.isEmpty, "\(answer.errors)")
        let folder = run.folder.appending("said").string
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count > 170)
        for name in names where !name.hasSuffix(".status") {
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            let text = try #require(String(validating: data, as: UTF8.self), "\(name)")
            let commands = text.unicodeScalars.filter { $0.isCommand && $0 != "\n" && $0 != "\t" }
            #expect(commands.isEmpty, "\(name): \(text.onOneLine)")
            let isForged = text.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("FORGED") }
            #expect(!isForged, "\(name): \(text)")
            // These commands must succeed, so that they print the hostile text.
            let status = run.text("said/\(name.prefix { $0 != "." }).status")
            if Self.prints.contains(where: { name.contains($0) }) { #expect(status == "0\n", "\(name): \(status)") }
        }
    }

    private static let prints = [
        "-pack-show-hostile", "-pack-show-showassetpack", "-device-show-store-dev", "-report-show-r-",
        "-profile-show-evil",
    ]
}
