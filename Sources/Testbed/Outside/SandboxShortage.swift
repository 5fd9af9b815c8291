import Glibc
import Synchronization
package import SystemPackage

/// What this process had too little of while it carried a sandbox's connections: those wait, and no program is to blame.
package final class SandboxShortage: Sendable {
    private static let causes: Set<Int32> = [EMFILE, ENFILE, ENOMEM, ENOBUFS]
    /// How long to wait before the next try.
    private static let pause: UInt32 = 20_000
    private let first = Mutex<Errno?>(nil)

    /// What was lacking first; `nil` where nothing was.
    package var error: Errno? { first.withLock { $0 } }

    init() {}

    /// Notes an `errno`, and waits a little; false where it is none that gets better by waiting.
    package func wait(after error: Int32) -> Bool {
        guard Self.causes.contains(error) else { return false }
        note(error)
        // For threads that do nothing but carry connections; tasks never come here.
        usleep(Self.pause)
        return true
    }

    /// Notes what was lacking.
    package func note(_ error: Int32) { first.withLock { $0 = $0 ?? Errno(rawValue: error) } }
}
