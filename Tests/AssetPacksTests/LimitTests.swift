import Testing

@testable import AssetPacks
@testable import PackFormat

/// The findings above a limit, and none exactly at it.
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
        limits.findings(
            packs.map { Self.pack($0.0, $0.1) }, bundledSize: bundled, initialInstall: install, prefetch: prefetch
        ).map { "\($0.severity): \($0.subject)" }
    }

    @Test(arguments: [
        (Limits(name: "x", source: "y", [.pack: 10]), "error: the pack of a and b"),
        (Limits(name: "x", source: "y", [.packCount: 2]), "error: the catalog"),
        (Limits(name: "x", source: "y", [.appBundle: 10]), "error: the app bundle"),
        (Limits(name: "x", source: "y", [.hosted: 26]), "error: the host"),
        (Limits(name: "x", source: "y", [.initialInstall: 20]), "error: the initial install"),
        (
            Limits(name: "x", source: "y", [.initialAndPrefetched: 26]),
            "error: the total of installed and prefetched packs"
        ),
        (Limits(name: "x", source: "y", [.inUse: 20]), "error: the tag a, in use at once,"),
        (Limits(name: "x", source: "y", [.recommendedPack: 20]), "warning: the tag a"),
        (Limits(name: "x", source: "y", [.cellularInstall: 31]), "warning: an install over a cellular network"),
    ])
    func findsExceededLimits(limits: Limits, subject: String) {
        // Each limit is exceeded by exactly one.
        let packs: [(String, Int64)] = [("a", 10), ("b", 6), ("a+b", 11)]
        let found = subjects(packs, limits, bundled: 11, install: ["a"], prefetch: ["b"])
        #expect(found == [subject])
    }

    @Test func exactlyTheLimitIsAllowed() {
        let limits = Limits(
            name: "x", source: "y",
            [
                .appBundle: 11, .pack: 11, .packCount: 3, .initialInstall: 21, .initialAndPrefetched: 27, .inUse: 21,
                .hosted: 27, .recommendedPack: 21, .cellularInstall: 32,
            ])
        #expect(
            subjects([("a", 10), ("b", 6), ("a+b", 11)], limits, bundled: 11, install: ["a"], prefetch: ["b"]) == [])
    }

    @Test func saysNumberAndSource() {
        let finding = Limits.ios2015
            .findings([Self.pack("a", 512_000_001)], initialInstall: [], prefetch: []).first
        #expect(
            finding?.description
                == "the pack of a has 512000001 bytes; the limit is 512000000 (ios-2015: WWDC 2015 session 214)")
    }

    /// The sources' numbers for each set: app bundle, pack, pack count, initial install, initial and prefetched, in
    /// use, hosted.
    static let table: [(name: String, limits: [Int64?])] = [
        ("ios-2015", [2_000_000_000, 512_000_000, nil, 2_000_000_000, 2_000_000_000, 2_000_000_000, 20_000_000_000]),
        ("tvos-2015", [200_000_000, 512_000_000, nil, 2_000_000_000, 2_000_000_000, 2_000_000_000, 20_000_000_000]),
        (
            "guide-2017",
            [2_000_000_000, 512_000_000, 1000, 2_000_000_000, 4_000_000_000, 2_000_000_000, 20_000_000_000]
        ),
        ("pre-18", [2_000_000_000, 512_000_000, 1000, nil, 4_000_000_000, 2_000_000_000, 20_000_000_000]),
        ("ios-18", [4_000_000_000, 8_000_000_000, 1000, nil, nil, nil, 70_000_000_000]),
        ("tvos-18", [4_000_000_000, 512_000_000, 1000, nil, 4_000_000_000, nil, 20_000_000_000]),
        ("background-assets", [nil, nil, 200, nil, nil, nil, 200_000_000_000]),
    ]

    @Test(arguments: table)
    func eachNamedSetMatchesItsSource(row: (name: String, limits: [Int64?])) throws {
        let limits = try #require(Limits.named(row.name))
        let settings: [Limits.Setting] = [
            .appBundle, .pack, .packCount, .initialInstall, .initialAndPrefetched, .inUse, .hosted,
        ]
        #expect(settings.map { limits[$0] } == row.limits)
        #expect(Self.table.map(\.name) == Limits.all.map(\.name))
    }

    /// Packs with this total size, each of at most `most` bytes.
    private static func packs(_ sum: Int64, of most: Int64, _ tag: String) -> [(String, Int64)] {
        let whole = Array(repeating: (tag, most), count: Int(sum / most))
        return sum % most == 0 ? whole : whole + [(tag, sum % most)]
    }

    /// Each limit of each set alone, with the set's own numbers: exactly the limit, and one more.
    @Test(arguments: Limits.all.map(\.name))
    func eachLimitExactlyAndOneMore(name: String) throws {
        let all = try #require(Limits.named(name))
        for (extra, isAllowed) in [(Int64(0), true), (1, false)] {
            func check(_ setting: Limits.Setting, _ find: (Int64, Limits) -> [String]) {
                guard let limit = all[setting] else { return }
                var only = Limits(name: all.name, source: all.source)
                only[setting] = limit
                #expect(find(limit + extra, only).isEmpty == isAllowed, "\(setting) \(extra)")
            }
            check(.appBundle) { subjects([], $1, bundled: $0) }
            check(.pack) { subjects([("a", $0)], $1) }
            check(.packCount) { subjects(Array(repeating: ("a", 1), count: Int($0)), $1) }
            check(.initialInstall) { subjects(Self.packs($0, of: 512_000_000, "a"), $1, install: ["a"]) }
            check(.initialAndPrefetched) {
                subjects(Self.packs($0 - 5, of: 512_000_000, "a") + [("b", 5)], $1, install: ["a"], prefetch: ["b"])
            }
            check(.inUse) { subjects(Self.packs($0, of: 512_000_000, "a"), $1) }
            check(.hosted) { subjects(Self.packs($0, of: 512_000_000, "a"), $1) }
            check(.recommendedPack) { subjects([("a", $0)], $1) }
            check(.cellularInstall) { subjects([("a", $0 - 5)], $1, bundled: 5, install: ["a"]) }
        }
    }

    @Test(arguments: [
        ("in-use=5", "inUse 5"), ("in-use=none", "inUse nil"), ("pack-count=0", "packCount 0"),
        ("in-us=5", "'in-us=5' does not have the form name=bytes."),
        ("in-use", "'in-use' does not have the form name=bytes."),
        ("in-use=", "'' is neither"), ("in-use=-1", "'-1' is neither"), ("in-use=5 MB", "'5 MB' is neither"),
    ])
    func aLimitIsChangedByAText(text: String, outcome: String) {
        var limits = Limits.ios2015
        do {
            try limits.change(text)
            let changed = Limits.Setting.allCases.filter { limits[$0] != Limits.ios2015[$0] }
            #expect(changed.map { "\($0) \(limits[$0].map(String.init) ?? "nil")" } == [outcome])
        } catch {
            #expect("\(error)".contains(outcome))
            #expect(limits == .ios2015)
        }
    }
}
