/// How the client's process ended.
package struct ClientEnd: Hashable, Sendable, Codable {
    /// Its exit status; nil if a signal ended it or it never started.
    package var exitStatus: Int32?
    /// The signal that ended it; nil if it exited.
    package var signal: Int32?
    /// Whether Headwind ended it, because its deadline had passed or the run was interrupted.
    package var wasStopped: Bool

    package init(exitStatus: Int32? = nil, signal: Int32? = nil, wasStopped: Bool = false) {
        self.exitStatus = exitStatus
        self.signal = signal
        self.wasStopped = wasStopped
    }

    private enum CodingKeys: String, SnakeCaseKey { case signal, exitStatus, wasStopped }
}
