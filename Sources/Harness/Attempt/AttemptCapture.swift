import Results
import SystemPackage

/// The files in which the packets of a cell's attempts are recorded.
struct AttemptCapture: Sendable {
    /// The folder of the files, which exists.
    var folder: FilePath
    /// The prefix of the files' names.
    var name: String
    /// The limit in bytes on the recording of an attempt; packets after that are not recorded.
    var limit: Int64
    /// Whether payloads are recorded too, and the secrets that decrypt them.
    var keepsSecrets = false

    /// The limit if no capture was requested, for attempts that may fail: 4 MiB, the headers of some 30,000 packets.
    static let leastLimit: Int64 = 4 << 20

    func path(attempt: Int) -> FilePath { folder.appending(CellFiles.capture(name, attempt: attempt)) }
}

/// The options of a run that records packets.
package struct RunCapture: Sendable {
    /// Whether payloads are recorded too, and the secrets that decrypt them.
    package var keepsSecrets: Bool
    /// The limit in bytes on the recording of an attempt (default: 256 MiB); packets after that are not recorded.
    package var limit: Int64

    package init(keepsSecrets: Bool, limit: Int64 = 256 << 20) {
        self.keepsSecrets = keepsSecrets
        self.limit = limit
    }
}
