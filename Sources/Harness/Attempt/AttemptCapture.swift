import Results
import SystemPackage

/// Where the packets of a cell's attempts are recorded.
struct AttemptCapture: Sendable {
    /// The folder of the files, which is there.
    var folder: FilePath
    /// What their names begin with.
    var name: String
    /// Bytes after which nothing more is recorded of an attempt.
    var limit: Int64
    /// Whether what packets carry is recorded too, and the secrets that decrypt it.
    var keepsSecrets = false

    /// What is kept in case that an attempt fails, unless more was asked for: the heads of some 30,000 packets.
    static let leastLimit: Int64 = 4 << 20

    func path(attempt: Int) -> FilePath { folder.appending(CellFiles.capture(name, attempt: attempt)) }
}

/// What a run records of packets where it was asked to.
package struct RunCapture: Sendable {
    /// Whether what packets carry is recorded too, and the secrets that decrypt it.
    package var keepsSecrets: Bool
    /// Bytes after which nothing more is recorded of an attempt; 256 MiB by default.
    package var limit: Int64

    package init(keepsSecrets: Bool, limit: Int64 = 256 << 20) {
        self.keepsSecrets = keepsSecrets
        self.limit = limit
    }
}
