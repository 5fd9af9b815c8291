import Synchronization

/// Lines of a key log that a host tells, from any thread.
final class SecretLines: Sendable {
    private let state = Mutex<[UInt8]>([])

    /// Some 100,000 connections.
    private static let mostBytes = 16 << 20

    /// All that was told.
    var lines: [UInt8] { state.withLock { $0 } }

    func add(_ line: [UInt8]) {
        state.withLock { lines in
            if lines.count < Self.mostBytes { lines += line + [UInt8(ascii: "\n")] }
        }
    }
}
