import Foundation
import Testing

/// docs/architecture.md draws the targets and arrows of Package.swift and the sources.
@Suite("The drawing of the architecture")
struct ArchitectureTests {
    private static let page = "docs/architecture.md"

    /// The page's two drawings with their places in it: the product's, then that of its tests and benchmarks.
    private static func drawings(in text: String) -> [(place: Range<String.Index>, text: String)] {
        text.matches(of: /(?s)```targets\n(.*?)```/).map {
            ($0.output.1.startIndex..<$0.output.1.endIndex, String($0.output.1))
        }
    }

    @Test("equals Package.swift and the imports; HEADWIND_RECORD=1 draws its arrows again")
    func inStep() throws {
        let package = try PackageTarget.all()
        var text = try Repository.text(Self.page)
        if Repository.isRecording {
            for (place, drawing) in Self.drawings(in: text).reversed() {
                text.replaceSubrange(place, with: try Drawing(parsing: drawing).redrawn(for: package).text)
            }
            try Data(text.utf8).write(to: Repository.root.appending(path: Self.page))
        }
        let drawings = Self.drawings(in: text).map(\.text)
        try #require(drawings.count == 2)
        for drawing in drawings {
            #expect(try Drawing(parsing: drawing).redrawn(for: package).text == drawing, "not as it would be recorded")
        }
        // Tests and benchmarks are above the product, though the page draws them below it.
        var whole = try Drawing(parsing: drawings[1])
        whole.groups += try Drawing(parsing: drawings[0]).groups
        #expect(Architecture.differences(whole, package) == [])
    }

    private static let drawing = """
        [Programs]
        tool: runs it
            -> Core
        tool-helper: is run by it

        [Core]
        Core: decides
            -> CParts
            => Yams

        [C]
        CParts: what only C can do

        """
    private static let package = [
        PackageTarget(name: "tool", isProgram: true, targets: ["Core"], imports: ["Core"]),
        PackageTarget(name: "tool-helper", isProgram: true),
        PackageTarget(name: "Core", targets: ["CParts"], libraries: ["Yams"], imports: ["CParts", "Yams"]),
        PackageTarget(name: "CParts"),
    ]

    /// A change to the drawing or to the package, and the differences that it causes.
    struct Slip: Sendable, CustomTestStringConvertible {
        var found: [String]
        var drawn: [(String, String)] = []
        var change: @Sendable (inout [PackageTarget]) -> Void = { _ in }
        var testDescription: String { found.first ?? "nothing is wrong" }
    }

    @Test(arguments: [
        Slip(found: []),
        Slip(found: ["the drawing lacks tool-helper"], drawn: [("tool-helper: is run by it\n", "")]),
        Slip(found: ["the drawing has Old, and Package.swift has not"], drawn: [("[C]", "[C]\nOld: is gone")]),
        Slip(found: ["the drawing has CParts twice"], drawn: [("[C]", "[C]\nCParts: again")]),
        Slip(found: ["the drawing lacks the arrow from Core to Yams"], drawn: [("    => Yams\n", "")]),
        Slip(
            found: ["the drawing has an arrow from Core to GRDB, and Package.swift has not"],
            drawn: [("=> Yams", "=> GRDB, Yams")]),
        Slip(
            found: ["the drawing has an arrow from tool to CParts, and Package.swift has not"],
            drawn: [("-> Core", "-> CParts, Core")]),
        Slip(
            found: ["Core points to CParts, which is in no group below Core"],
            drawn: [("[C]\nCParts: what only C can do\n", ""), ("[Core]", "[Core]\nCParts: what only C can do")]),
        Slip(found: ["CParts has unsafe flags, which SwiftPM refuses in the library Core"]) {
            $0[2].isLibrary = true
            $0[3].hasUnsafeFlags = true
        },
        Slip(found: ["tool imports Yams and does not declare it: it comes with Core"]) { $0[0].imports.insert("Yams") },
        Slip(found: ["tool imports CParts and does not declare it: it comes with Core"]) {
            $0[0].imports.insert("CParts")
        },
        Slip(found: ["tool imports NIOTLS and does not declare it"]) { $0[0].imports.insert("NIOTLS") },
        Slip(found: ["Core declares Yams and does not import it"]) { $0[2].imports.remove("Yams") },
        Slip(found: ["tool declares Core and does not import it"]) { $0[0].imports.remove("Core") },
        Slip(
            found: [], drawn: [("-> Core", "-> Core, tool-helper"), ("tool-helper: is", "[Helpers]\ntool-helper: is")]
        ) {
            $0[0].targets.insert("tool-helper")
        },
    ])
    func difference(_ slip: Slip) throws {
        var (text, package) = (Self.drawing, Self.package)
        for (old, new) in slip.drawn {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        slip.change(&package)
        #expect(Architecture.differences(try Drawing(parsing: text), package) == slip.found)
    }

    @Test(arguments: [
        ("a: no group", "a: no group"), ("[A]\n    -> B", "    -> B"), ("[A]\na: b\n  -> B", "  -> B"),
        ("[A]\na:", "a:"), ("[A]\na: b\n       B", "       B"), ("[A]\na: b\n    -> B!", "    -> B!"),
    ])
    func malformed(text: String, line: String) {
        #expect(throws: Drawing.SyntaxError(line: line)) { try Drawing(parsing: text) }
    }

    @Test func wrapsAndReadsItAgain() throws {
        var drawing = try Drawing(parsing: Self.drawing)
        drawing.groups[0].entries[0].targets = (1...40).map { "Target\($0)" }
        let text = drawing.text
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 } && text.contains("\n       Target"))
        #expect(try Drawing(parsing: text) == drawing)
        #expect(try Drawing(parsing: text).redrawn(for: Self.package).text == Self.drawing)
    }

    @Test(
        arguments: [
            ("import A\nimport Glibc", ["A"]), ("@testable import A", ["A"]), ("package import struct A.B", ["A"]),
            ("@_spi(Part) @preconcurrency public import A", ["A"]), ("#if X\n    import A\n#endif", ["A"]),
            ("// import A", []), ("let important = 1", []),
            ("let s = \"\"\"\n    import os\n    \"\"\"\nimport A", ["A"]),
            ("import class Foundation.Bundle", ["Foundation"]),
        ] as [(String, Set<String>)])
    func imports(text: String, modules: Set<String>) {
        #expect(SourceFile.imports(text) == modules)
    }

    @Test(
        arguments: [
            ("#include <CParts.h>\n#include <errno.h>", ["CParts"]), ("  # include \"CParts.h\"", ["CParts"]),
            ("// #include <CParts.h>", []), ("#include \"own.h\"", []),
        ] as [(String, Set<String>)])
    func includes(text: String, targets: Set<String>) {
        #expect(SourceFile.includes(text, of: ["CParts.h": "CParts"]) == targets)
    }
}
