import LinuxSupport
import PackFormat
import Redaction
import Results
package import Scenarios
import SystemPackage

/// The files of a client that its command shows: its program, and files that its arguments name.
package enum ClientFiles {
    private static let most = 32

    /// The files with their digests, at most 32; unreadable ones are left out.
    static func records(of cell: Cell, client: FilePath) -> [BundleRecord.File] {
        paths(of: cell, client: client).grouped { $0 }.prefix(most).compactMap { record(of: $0[0]) }
    }

    static func record(of path: FilePath) -> BundleRecord.File? {
        guard let digest = try? Digest.sha256Hex(of: path), let size = (try? path.stat())?.size else { return nil }
        return BundleRecord.File(name: Redaction.text(path.string), sizeBytes: size, sha256: digest)
    }

    /// The command without secrets, with placeholders as written.
    ///
    /// `client` is the program that replaces headwind-client, if any.
    package static func command(of cell: Cell, client: String?) -> [String] {
        switch cell.workload {
        case .requests: Redaction.arguments([client ?? "headwind-client"])
        case .command(let command): Redaction.arguments(command.words)
        }
    }

    private static func paths(of cell: Cell, client: FilePath) -> [FilePath] {
        guard case .command(let command) = cell.workload else { return [client] }
        var words = command.words
        if case .shell = command.call, let script = words.popLast() {
            words += script.split { $0.isWhitespace || "'\"();|&<>".contains($0) }.map(String.init)
        }
        // A folder of PATH may be relative, and the bundle is read from anywhere.
        let program = words.first.flatMap { Environment.program($0) }?.whole
        // A relative path names a user's file only if the command has a folder: an attempt's own folder is empty.
        let named = words.dropFirst().compactMap { word -> FilePath? in
            guard !word.hasPrefix("/") else { return FilePath(word) }
            guard let folder = command.directory, !word.hasPrefix("-"), !word.contains("{") else { return nil }
            return folder.pushing(FilePath(word)).whole
        }
        return [program].compactMap { $0 } + named
    }
}
