import Foundation
import Testing

/// Passes every seed, and every case that fuzzing found, to the functions that `Fuzz/run` fuzzes.
@Suite struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func files(_ kind: String, _ target: FuzzTarget) -> [URL] {
        let place = folder.appending(path: "\(kind)/\(target.rawValue)")
        let files = try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }
    }

    @Test(arguments: FuzzTarget.allCases)
    func seedsAndCasesHold(target: FuzzTarget) throws {
        let seeds = Self.files("Seeds", target)
        #expect(!seeds.isEmpty, "'python3 Fuzz/seeds.py \(target)' writes them")
        for file in seeds + Self.files("Cases", target) {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(target)/\(file.lastPathComponent)") { try target.body(bytes) }
        }
    }

    /// Truncated inputs, such as of a broken connection or a full disk, are read only to their end.
    @Test(arguments: FuzzTarget.allCases)
    func shortenedSeedsHold(target: FuzzTarget) throws {
        for file in Self.files("Seeds", target).prefix(2) {
            let bytes = [UInt8](try Data(contentsOf: file))
            for count in [0, bytes.count / 2, max(0, bytes.count - 1)] {
                #expect(throws: Never.self, "the first \(count) bytes of \(file.lastPathComponent)") {
                    try target.body(Array(bytes.prefix(count)))
                }
            }
        }
    }

    /// Every folder of inputs has a target; else no test would replay it.
    @Test func everyFolderHasATarget() throws {
        let known = Set(FuzzTarget.allCases.map(\.rawValue))
        for kind in ["Seeds", "Cases"] {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: kind).path)) ?? []
            for name in names where !name.hasSuffix(".dict") { #expect(known.contains(name), "Fuzz/\(kind)/\(name)") }
        }
    }
}
