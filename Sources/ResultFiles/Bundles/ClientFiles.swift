import FoundationEssentials
import LinuxSupport
import PackFormat
import Redaction
package import Scenarios
package import SystemPackage

/// The files that a client is made of, as far as its command tells: its program, and files that the arguments name.
package enum ClientFiles {
    private static let most = 32

    /// The files with their digests; those that cannot be read are left out.
    ///
    /// `client` is the program that takes headwind-client's command line.
    static func records(of cell: Cell, client: FilePath) -> [BundleRecord.File] {
        var paths: [FilePath] = []
        for path in self.paths(of: cell, client: client) where !paths.contains(path) { paths.append(path) }
        return paths.prefix(most).compactMap { record(of: $0) }
    }

    package static func record(of path: FilePath) -> BundleRecord.File? {
        guard let digest = try? Digest.sha256Hex(of: path), let size = size(of: path) else { return nil }
        return BundleRecord.File(name: Redaction.text(path.string), sizeBytes: size, sha256: digest)
    }

    /// The command without secrets, placeholders as they are written.
    ///
    /// `client` is the program in headwind-client's place, if there is one.
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
        // A folder of PATH may have no whole path, and the bundle is read from anywhere.
        let here = FilePath(FileManager.default.currentDirectoryPath)
        let program = words.first.flatMap { Environment.program($0) }.map { here.pushing($0).lexicallyNormalized() }
        // A relative path leads to a file of the user's only in a folder of the user's; an attempt's own is empty.
        let named = words.dropFirst().compactMap { word -> FilePath? in
            guard !word.hasPrefix("/") else { return FilePath(word) }
            guard let folder = command.directory, !word.hasPrefix("-"), !word.contains("{") else { return nil }
            return here.pushing(folder).pushing(FilePath(word)).lexicallyNormalized()
        }
        return [program].compactMap { $0 } + named
    }

    private static func size(of path: FilePath) -> Int64? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        return try? file.closeAfter { try file.seek(offset: 0, from: .end) }
    }
}
