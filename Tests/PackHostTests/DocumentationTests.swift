import Glibc
import PackFormat
import SystemPackage
import Testing

@testable import PackHost

/// docs/reference/host.md documents the notation of faults that the code reads.
@Suite("Documentation")
struct DocumentationTests {
    /// The code spans in the first column of the table of actions, one list for each row.
    private func rows() throws -> [[String]] {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let file = try FileDescriptor.open(root.appending("docs/reference/host.md"), .readOnly)
        let bytes = try file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("| action |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return table.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            return cells[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
        }
    }

    @Test func everyDocumentedActionIsRead() throws {
        let rows = try rows()
        #expect(rows.count == HostFault.Kind.allCases.count)
        for row in rows {
            let words = row.map { $0.replacing("PLACE", with: "40%").filter { $0 != "[" && $0 != "]" } }
            let options = zip(row, words).filter { $0.0.contains("[") || $0.0.contains("]") }.map(\.1)
            for action in words where !options.contains(action) {
                #expect(throws: Never.self) { try HostFault(parsing: action) }
                for option in options { #expect(throws: Never.self) { try HostFault(parsing: "\(action) \(option)") } }
            }
        }
    }

    @Test func everyActionIsDocumented() throws {
        let shown = Set(try rows().joined().map { String($0.prefix { $0 != "=" && $0 != "@" }) })
        for (text, _) in FaultNotationTests.table {
            let name = try HostFault(parsing: text).action.text.prefix { $0 != "=" && $0 != "@" }
            #expect(shown.contains(String(name)), "\(name)")
        }
    }
}
