import Reports
import Results
package import SystemPackage

/// Distinguishes reports that Headwind wrote from other files with the same names.
///
/// An empty file, or one too short to decide, counts as Headwind's: its run was killed, or the disk was full.
package struct ReportOwner {
    let folder: FilePath

    package init(folder: FilePath) { self.folder = folder }

    /// How a report of Headwind's begins, without blanks, or a text that its first part contains.
    private struct Mark {
        var beginnings: [String]
        var word: String?
    }

    private static let marks: [(name: String?, mark: Mark)] = [
        (
            ReportFormat.json.fileName,
            Mark(beginnings: ["{\"cells\":[{\"attempts\":", "{\"cells\":[],\"command_line\":"])
        ),
        (
            ReportFormat.junit.fileName,
            // Tools that rewrite the file keep the name.
            Mark(
                beginnings: ["<?xmlversion=\"1.0\"encoding=\"UTF-8\"?><testsuitesname=\"headwind"],
                word: "name=\"headwind")
        ),
        (ReportFormat.markdown.fileName, Mark(beginnings: ["#Headwind:"])),
        (ReportFormat.openmetrics.fileName, Mark(beginnings: ["#TYPEheadwind_"])),
        (ReportFormat.html.fileName, Mark(beginnings: [page], word: "<title>Headwind</title>")),
        (
            ReportFormat.eventsFileName,
            Mark(beginnings: (1...TimelineEvent.currentSchema).map { "{\"v\":\($0),\"t\":" })
        ),
    ]
    /// The report of `headwind check`.
    private static let checkMark = Mark(beginnings: ["{\"command\":["], word: "\"patience_seconds\"")
    /// How a page begins; its title may be cut off.
    private static let page =
        "<!DOCTYPEhtml><htmllang=\"en\"><head><metacharset=\"utf-8\">"
        + "<metahttp-equiv=\"Content-Security-Policy\"content=\"default-src'none';script-src'unsafe-inline'"
    /// Keys of a result, which another program may have reordered.
    private static let keys = ["\"cells\"", "\"schema_version\"", "\"tool_version\""]
    /// How many bytes of a file's start are read.
    private static let headBytes = 4096
    /// How many bytes of a result's end are read: its keys may follow its cells.
    private static let tailBytes = 1 << 20

    /// The names of files in the folder that a run would replace, and that are not recognized as Headwind's.
    var foreignNames: [String] {
        Self.marks.compactMap { name, mark in
            guard let name, isForeign(name, mark) else { return nil }
            return name
        }
    }

    /// Whether the folder has a report of a check that is not recognized as Headwind's.
    package var hasForeignCheck: Bool { isForeign(ClientReport.fileName, Self.checkMark) }

    private func isForeign(_ name: String, _ mark: Mark) -> Bool {
        let path = folder.appending(name)
        // Events are never written through a link.
        let isEvents = name == ReportFormat.eventsFileName
        guard let status = try? path.stat(followTargetSymlink: !isEvents), status.type == .regular, status.size > 0,
            NamedStream(path) == nil
        else { return false }
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
            return try file.closeAfter {
                let head = try Self.text(file, from: 0, most: Self.headBytes)
                if Self.isOwn(head, by: mark) { return false }
                guard name == ReportFormat.json.fileName, head.hasPrefix("{") else { return true }
                let from = max(0, status.size - Int64(Self.tailBytes))
                let tail = try Self.text(file, from: from, most: Self.tailBytes)
                return !Self.keys.allSatisfy { head.contains($0) || tail.contains($0) }
            }
        } catch Errno.noSuchFileOrDirectory {
            return false
        } catch {
            // The owner of what cannot be read is unknown.
            return true
        }
    }

    private static func isOwn(_ head: String, by mark: Mark) -> Bool {
        mark.beginnings.contains { $0.hasPrefix(head) || head.hasPrefix($0) }
            || mark.word.map { head.contains($0) } ?? false
    }

    /// A part of a file, without blanks and without the zeros that a lost write leaves.
    private static func text(_ file: FileDescriptor, from offset: Int64, most: Int) throws -> String {
        String(decoding: try file.bytes(from: offset, count: most).filter { $0 > 0x20 }, as: UTF8.self)
    }
}
