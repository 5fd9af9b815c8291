import Synchronization

/// Collects lines of a host's key log, from any thread.
final class SecretLines: Sendable {
    private let state = Mutex<[UInt8]>([])

    /// The limit, 16 MiB: some 100,000 connections.
    private static let mostBytes = 16 << 20

    /// All lines so far.
    var lines: [UInt8] { state.withLock { $0 } }

    func add(_ line: [UInt8]) {
        state.withLock { lines in
            if lines.count < Self.mostBytes { lines += line + [UInt8(ascii: "\n")] }
        }
    }
}
