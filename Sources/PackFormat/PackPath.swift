/// The rule for names of files in packs, for programs that build packs and for programs that unpack them.
///
/// It works on bytes: in Swift, a slash with a combining mark after it is one `Character`, and no slash.
package enum PackPath {
    /// The most bytes of one part of a path (NAME_MAX; APFS has the same limit).
    package static let mostPartBytes = 255
    /// The most bytes of a path.
    package static let mostBytes = 1024
    /// The most folders above a file.
    package static let mostFolders = 64

    private static let slash = UInt8(ascii: "/")

    /// The parts between the slashes, empty ones too.
    package static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The part in front of the first slash.
    package static func firstPart(_ path: String) -> String {
        String(Substring(path.utf8.prefix { $0 != slash }))
    }

    /// The folder that a path lies in; nil for one without a slash.
    package static func parent(of path: String) -> String? {
        path.utf8.lastIndex(of: slash).map { String(path[..<$0]) }
    }

    /// Whether a name contains a slash, and so is a path.
    package static func hasSlash(_ name: String) -> Bool {
        name.utf8.contains(slash)
    }

    /// Whether some part of the path begins with a full stop, which hides it.
    package static func isHidden(_ path: String) -> Bool {
        path.utf8.split(separator: slash).contains { $0.first == UInt8(ascii: ".") }
    }

    /// Why no pack can have a file or a folder of this name, after "it cannot be there because"; nil if it can.
    ///
    /// `mostBytes` is 1024 by default. Names that packs reserve for themselves are not checked.
    package static func fault(in path: String, mostBytes: Int = mostBytes) -> String? {
        guard !path.isEmpty, path.utf8.count <= mostBytes else {
            return "its name is empty, or longer than \(mostBytes) bytes"
        }
        guard path.utf8.first != slash else { return "its name is absolute" }
        let parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }) else {
            return "its name has an empty part, '.' or '..'"
        }
        guard parts.allSatisfy({ $0.count <= mostPartBytes }) else {
            return "a part of its name is longer than \(mostPartBytes) bytes"
        }
        guard parts.count <= mostFolders + 1 else { return "it is more than \(mostFolders) folders deep" }
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            return "its name has a control character or a backslash"
        }
        return nil
    }
}
