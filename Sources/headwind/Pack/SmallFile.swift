import FoundationEssentials
import PackFormat
import SystemPackage

/// Reads manifests and other lists, which are small.
enum SmallFile {
    /// More than any manifest has.
    private static let mostBytes = 16 << 20

    /// All bytes of a file; throws `fileNotRead` for one that is not there, or of more than 16 MiB.
    static func read(_ path: FilePath) throws(PackFormatError) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            let size = try file.closeAfter { try file.seek(offset: 0, from: .end) }
            guard size <= mostBytes else {
                throw PackFormatError.fileNotRead(path, reason: "it has \(size) bytes, more than any manifest")
            }
            return Array(try Data(contentsOf: URL(filePath: path.string)))
        } catch let error as PackFormatError {
            throw error
        } catch {
            throw .fileNotRead(path, reason: error.systemReason)
        }
    }
}
