import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// Threads that relay connections, and the sockets that they wait for; all end together.
final class SocketThreads: Sendable {
    private struct State {
        var isEnding = false
        var sockets: Set<Int32> = []
        var running = 0
        var wait: CheckedContinuation<Void, Never>?
    }

    private let shortage: SandboxShortage
    private let state = Mutex(State())

    /// Creates an empty group, which records shortages of resources in `shortage`.
    init(shortage: SandboxShortage) {
        self.shortage = shortage
    }

    /// Whether ``end()`` was called.
    var isEnding: Bool { state.withLock(\.isEnding) }

    /// Runs `body` on a new thread, or `fallback` on this one if the system has no thread left.
    ///
    /// A dispatch queue has too few threads for this.
    func start(_ body: @escaping @Sendable () -> Void, orElse fallback: () -> Void = {}) {
        enter()
        do {
            try DedicatedThread.start {
                body()
                self.leave()
            }
        } catch {
            shortage.note(error.rawValue)
            fallback()
            leave()
        }
    }

    /// Runs `body` in a task; ``end()`` waits for it as for a thread.
    func startTask(_ body: @escaping @Sendable () async -> Void) {
        enter()
        Task {
            await body()
            leave()
        }
    }

    /// Registers a socket that ``end()`` shuts down; false if ``end()`` was already called.
    func keep(_ socket: FileDescriptor) -> Bool {
        state.withLock { state in
            if !state.isEnding { state.sockets.insert(socket.rawValue) }
            return !state.isEnding
        }
    }

    /// Unregisters a socket, so that ``end()`` does not shut it down.
    func release(_ socket: FileDescriptor) {
        _ = state.withLock { $0.sockets.remove(socket.rawValue) }
    }

    /// Closes a socket, registered or not.
    func close(_ socket: FileDescriptor) {
        release(socket)
        try? socket.close()
    }

    /// Accepts the connections of a listener until ``end()``, and closes the listener; their sockets are non-blocking.
    ///
    /// While descriptors are short, connections wait.
    func accept(_ listener: FileDescriptor, _ take: (FileDescriptor) -> Void) {
        defer { close(listener) }
        guard keep(listener) else { return }
        while true {
            var event = pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&event, 1, -1) >= 0 || errno == EINTR else { return }
            let number = Glibc.accept(listener.rawValue, nil, nil)
            guard number < 0 else {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                take(FileDescriptor(rawValue: number))
                continue
            }
            let error = errno
            let mayGoOn = [EAGAIN, EINTR, ECONNABORTED].contains(error) || shortage.wait(after: error)
            guard mayGoOn, !isEnding else { return }
        }
    }

    /// Ends all connections, and waits for the threads: an open socket would keep the sandbox's network.
    func end() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isEnding = true
                for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
                if state.running > 0 { state.wait = continuation }
                return state.running == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private func enter() { state.withLock { $0.running += 1 } }

    private func leave() {
        let wait = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.running -= 1
            return state.running == 0 ? state.wait : nil
        }
        wait?.resume()
    }
}
