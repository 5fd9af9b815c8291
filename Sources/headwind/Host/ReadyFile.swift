import FoundationEssentials
import Glibc
import SystemPackage

/// The file that tells other programs that a host is ready and where; it is there as long as the host is.
struct ReadyFile {
    let path: FilePath

    private struct Content: Encodable {
        let url: String
        let port: Int
        /// The file of the authority's certificate; absent without TLS.
        let ca: String?
    }

    /// Writes the file at once; throws ``CommandFailure``.
    func write(url: String, port: Int, authority: String?) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let data = try encoder.encode(Content(url: url, port: port, ca: authority))
        try FileReplacement.write(String(decoding: data, as: UTF8.self) + "\n", to: path)
    }

    /// Removes the file, if it is there.
    func remove() { unlink(path.string) }
}
