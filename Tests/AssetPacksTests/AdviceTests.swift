import SystemPackage
import Testing

@testable import AssetPacks
@testable import PackFormat

/// What a store refuses apart from sizes, and what Headwind advises against.
@Suite("Advice")
struct AdviceTests {
    private static let macho32: [UInt8] = [0xFE, 0xED, 0xFA, 0xCE, 0, 0, 0, 7]
    private static let macho64: [UInt8] = [0xFE, 0xED, 0xFA, 0xCF, 0, 0, 0, 7]
    private static let fat: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2]
    private static let fat64: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBF, 0, 0, 0, 1]

    @Test(
        arguments: [
            ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], .elf), (macho32, .machO), (macho64, .machO),
            (Array(macho32[..<4].reversed()) + [7, 0, 0, 0], .machO),
            (Array(macho64[..<4].reversed()) + [7, 0, 0, 0], .machO),
            (fat, .universalMachO), (fat64, .universalMachO),
            (Array(fat[..<4].reversed()) + [2, 0, 0, 0], .universalMachO),
            // A Java class file: its version is never as small as a number of architectures.
            ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x34], nil), ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0], nil),
            (Array("#!/bin/sh\n".utf8), nil), (Array("print(1)\n".utf8), nil), ([0x7F, 0x45, 0x4C, 0x46], nil),
            ([], nil),
        ] as [([UInt8], ExecutableCode?)])
    func knowsCode(head: [UInt8], kind: ExecutableCode?) {
        #expect(ExecutableCode(startingWith: head) == kind)
    }

    @Test(
        arguments: [
            ("a/b.nib", "nib"), ("Main.storyboardc/x.bin", "storyboardc"), ("x.framework/data", "framework"),
            ("a.SWIFT", "swift"), ("lib.dylib", "dylib"), ("m.momd", "momd"), ("a.png", nil), ("a.js", nil),
            ("a.lua", nil), ("shader.fsh", nil), ("scene.sks", nil), ("fire.atlas/1.png", nil), ("icon.lsr", nil),
            ("data", nil), (".nib", nil), ("nib", nil), ("en.lproj/a.strings", nil),
        ] as [(String, String?)])
    func knowsApplesTable(path: String, type: String?) {
        #expect(ResourceType.outsideTable(path)?.name == type)
    }

    @Test func codeIsRefusedWhereverItIsNamed() throws {
        try withScratch { scratch in
            let root = scratch.appending("in")
            try root.appending("level/tool.dat").write(
                String(decoding: [0x7F] + Array("ELF".utf8) + [1, 1, 1, 0], as: UTF8.self))
            try root.appending("level/run.sh").write("#!/bin/sh\n")
            try root.appending("level/a.xib").write("1")
            try root.appending("level/b.xib").write("1")
            let builder = AssetPackBuilder(limits: .ios2015)
            let catalog = try Catalog(byFolder: root)
            let report = try builder.build(catalog, to: scratch.appending("out"))
            let identifier = report.packs[0].identifier
            #expect(report.advice.map(\.severity) == [.error, .warning])
            #expect(report.advice.map(\.rule) == [.executable, .fileType])
            #expect(report.advice.allSatisfy { $0.pack == identifier && $0.message.contains("Table 1-1") })
            #expect(report.advice[0].message.contains("'level/tool.dat' is code (ELF"))
            #expect(
                report.advice[1].message.hasPrefix(
                    "2 files of the type 'xib' (an interface file), such as 'level/a.xib'"))
            #expect(report.advice[1].value == 2)
            // The plan has the same advice without writing, except for the sizes of archives.
            var planned = report
            for index in planned.packs.indices { planned.packs[index].downloadSize = nil }
            #expect(try builder.plan(catalog) == planned)
        }
    }

    @Test(
        arguments: [
            (["a": 1, "b": 1], true), (["a": 1, "b": 1, "c": 1], true), (["a": 1, "b": 0.99], false), (["a": 1], false),
            ([:], false), (["a": 0.5, "b": 0.5], false),
        ] as [([String: Double], Bool)])
    func prioritiesWithoutEffectAreReported(priorities: [String: Double], isTold: Bool) {
        let advice = Advice.preservation(priorities)
        #expect((advice != nil) == isTold)
        #expect(advice.map { $0.value == Int64(priorities.count) && $0.severity == .warning } ?? true)
    }

    @Test func unrequestedTagsAreReported() {
        let advice = Advice.unrequested(["b", "a", "c"], requested: ["b", "x"], workloads: 2, opaque: 1)
        #expect(advice.map(\.rule) == [.unrequestedTag, .unrequestedTag])
        #expect(
            advice.first?.message
                == "nothing requests the tag 'a': no request of 2 workloads names it; Headwind cannot tell what 1 "
                + "of them request")
        #expect(Advice.unrequested(["a"], requested: ["a"], workloads: 1, opaque: 0).isEmpty)
    }

    /// The install exceeds the limit because of the app's own size.
    @Test func theAppCountsWithTheInitialInstall() throws {
        try withScratch { scratch in
            try scratch.appending("in/a/x").write("12345")
            var catalog = try Catalog(byFolder: scratch.appending("in"))
            catalog.initialInstall = ["a"]
            let size = try AssetPackBuilder(limits: .ios2015).plan(catalog).packs[0].uncompressedSize
            let limits = Limits(name: "x", source: "y", [.cellularInstall: size + 40])
            let builder = AssetPackBuilder(limits: limits)
            #expect(try builder.plan(catalog, appSize: 40).findings.isEmpty)
            let told = try builder.plan(catalog, appSize: 41).findings
            #expect(told.map(\.subject) == ["an install over a cellular network"])
            #expect(told.first?.value == size + 41)
        }
    }
}
