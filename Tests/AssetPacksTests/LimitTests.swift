import PackFormat
import Testing

@testable import AssetPacks

/// What is over a limit, and what is exactly at it.
@Suite("Limits")
struct LimitTests {
    private static func pack(_ tags: String, _ size: Int64) -> BuildReport.Pack {
        let tags = tags.split(separator: "+").map(String.init)
        return BuildReport.Pack(
            identifier: tags.joined(), tags: tags, name: "", files: 1, uncompressedSize: size, downloadSize: nil,
            priority: nil)
    }

    private func subjects(
        _ packs: [(String, Int64)], _ limits: Limits, bundled: Int64 = 0, install: Set<String> = [],
        prefetch: Set<String> = []
    ) -> [String] {
        LimitCheck(limits).findings(
            packs.map { Self.pack($0.0, $0.1) }, bundledSize: bundled, initialInstall: install, prefetch: prefetch
        ).map { "\($0.severity): \($0.subject)" }
    }

    @Test(arguments: [
        (Limits(name: "x", source: "y", pack: 10), "error: the pack of a and b"),
        (Limits(name: "x", source: "y", packCount: 2), "error: the catalog"),
        (Limits(name: "x", source: "y", appBundle: 10), "error: the app bundle"),
        (Limits(name: "x", source: "y", hosted: 26), "error: the host"),
        (Limits(name: "x", source: "y", initialInstall: 20), "error: the initial install"),
        (Limits(name: "x", source: "y", initialAndPrefetched: 26), "error: what is installed and prefetched"),
        (Limits(name: "x", source: "y", inUse: 20), "error: the tag a, in use at once,"),
        (Limits(name: "x", source: "y", recommendedPack: 10), "warning: the pack of a and b"),
        (Limits(name: "x", source: "y", cellularInstall: 31), "warning: an install over a cellular network"),
    ])
    func findsWhatIsOver(limits: Limits, subject: String) {
        // Over each limit by exactly one.
        let packs: [(String, Int64)] = [("a", 10), ("b", 6), ("a+b", 11)]
        let found = subjects(packs, limits, bundled: 11, install: ["a"], prefetch: ["b"])
        #expect(found == [subject])
    }

    @Test func exactlyTheLimitIsAllowed() {
        let limits = Limits(
            name: "x", source: "y", appBundle: 11, pack: 11, packCount: 3, initialInstall: 21, initialAndPrefetched: 27,
            inUse: 21, hosted: 27, recommendedPack: 11, cellularInstall: 32)
        #expect(
            subjects([("a", 10), ("b", 6), ("a+b", 11)], limits, bundled: 11, install: ["a"], prefetch: ["b"]) == [])
    }

    @Test func saysNumberAndSource() {
        let finding = LimitCheck(.ios2015)
            .findings([Self.pack("a", 512_000_001)], initialInstall: [], prefetch: []).first
        #expect(
            finding?.description
                == "the pack of a has 512000001 bytes, and at most 512000000 (ios-2015: WWDC 2015 session 214)")
    }
}
