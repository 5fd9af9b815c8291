import CLinux
import LinuxSupport
import Synchronization
import SystemPackage

/// The thread that watches the descriptors of all waits.
///
/// It starts with the first wait, and lives as long as the process.
///
/// Dispatch could watch them too, but its sources sometimes crash when the other end of a pipe closes (Swift 6.3).
final class ReadinessThread: Sendable {
    static let shared = ReadinessThread()

    private struct State {
        var waits: [UInt64: Readiness] = [:]
        var nextIdentifier: UInt64 = 0
    }

    private let epoll = headwind_epoll_create()
    private let isRunning: Bool
    private let state = Mutex(State())

    private init() {
        let isStarted = (try? DedicatedThread.start { ReadinessThread.run() }) != nil
        isRunning = isStarted && epoll >= 0
    }

    /// Registers a wait, and returns its identifier.
    ///
    /// Identifiers are never reused, so a late event finds no wait.
    func add(_ wait: Readiness) -> UInt64 {
        state.withLock { state in
            state.nextIdentifier += 1
            state.waits[state.nextIdentifier] = wait
            return state.nextIdentifier
        }
    }

    /// Ends the wait when the descriptor is readable; returns false if the descriptor cannot be watched.
    func watch(_ descriptor: FileDescriptor, _ identifier: UInt64) -> Bool {
        isRunning && headwind_epoll_add(epoll, descriptor.rawValue, identifier) == 0
    }

    func remove(_ identifier: UInt64, _ descriptor: FileDescriptor) {
        _ = headwind_epoll_remove(epoll, descriptor.rawValue)
        state.withLock { $0.waits[identifier] = nil }
    }

    private func end(_ identifier: UInt64) {
        state.withLock { $0.waits[identifier] }?.end()
    }

    private static func run() {
        var identifier: UInt64 = 0
        while unsafe headwind_epoll_wait(shared.epoll, &identifier) == 0 {
            shared.end(identifier)
        }
    }
}
