import Glibc
import SystemPackage

/// What cells name beside their result: where it is in a folder of results, and what it is called there.
package enum CellFiles {
    /// The folder with the packets of attempts.
    package static let captures = "captures"
    /// The folder with the bundles of failures.
    static let bundles = "bundles"
    /// The folder with what attempts met.
    static let schedules = "schedules"

    /// What the file with the packets of an attempt is called, of a cell of that name.
    package static func capture(_ name: String, attempt: Int) -> String { "\(name)-\(attempt).pcapng" }

    /// Where the schedule of an attempt is, from the folder of results.
    package static func schedule(of cell: String, attempt: Int) -> String { "\(schedules)/\(cell)-\(attempt).txt" }

    /// A path of a result, where it leads right into that folder of its, and the folder is none of a link's.
    ///
    /// A result may be from anywhere: nil for any other path.
    static func place(_ path: String, in name: String, of folder: FilePath) -> FilePath? {
        let path = FilePath(path)
        guard path.root == nil, path.components.count == 2, path.components.first?.string == name,
            path.components.allSatisfy({ $0.kind == .regular }), path.string.utf8.count < 1000,
            folder.appending(name).fileKind == S_IFDIR
        else { return nil }
        return folder.pushing(path)
    }
}

extension FilePath {
    /// What is at the path by itself, such as S_IFREG, no link followed; 0 for nothing.
    var fileKind: mode_t {
        var status = Glibc.stat()
        return lstat(string, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}
