import Glibc
import Synchronization
import SystemPackage
package import Testbed

/// A port of this machine that is on the loopback of a cell's client too: each connection to it crosses the link to the
/// same port of this machine's loopback.
package final class LoopbackForward: Sendable {
    private struct State {
        var isEnding = false
        var ends: Set<Int32> = []
        var running = 0
        var wait: CheckedContinuation<Void, Never>?
    }

    private let cell: Testbed.Cell
    private let port: UInt16
    private let state = Mutex(State())

    private init(_ cell: Testbed.Cell, port: UInt16) {
        self.cell = cell
        self.port = port
    }

    /// Forwards the ports until `body` has ended.
    ///
    /// Throws `CellError` where one cannot be listened on.
    package static func with<Value>(
        _ ports: [UInt16], of cell: Testbed.Cell, _ body: () async throws -> Value
    ) async throws -> Value {
        var forwards: [LoopbackForward] = []
        let result: Result<Value, any Error>
        do {
            for port in ports {
                let forward = LoopbackForward(cell, port: port)
                forwards.append(forward)
                try await forward.listen()
            }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for forward in forwards { await forward.end() }
        return try result.get()
    }

    private func listen() async throws {
        let listener = try await cell.listen(on: .client, port: port, isLoopback: true)
        run({ self.accept(listener.descriptor) }, orElse: { self.close(listener.descriptor) })
        // A cell may have no IPv6.
        if let listener = try? await cell.listen(on: .client, port: port, family: .ipv6, isLoopback: true) {
            run({ self.accept(listener.descriptor) }, orElse: { self.close(listener.descriptor) })
        }
    }

    /// Ends all connections and waits for their threads: an open socket would keep the cell's network.
    private func end() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isEnding = true
                for end in state.ends { shutdown(end, Int32(SHUT_RDWR)) }
                if state.running > 0 { state.wait = continuation }
                return state.running == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private func run(_ body: @escaping @Sendable () -> Void, orElse fallback: () -> Void) {
        state.withLock { $0.running += 1 }
        // A queue's threads are few, and others wait for one of them.
        let isRunning = OwnThread.start {
            body()
            self.finishOne()
        }
        guard !isRunning else { return }
        cell.shortage.note(EAGAIN)
        fallback()
        finishOne()
    }

    private func finishOne() {
        let wait = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.running -= 1
            return state.running == 0 ? state.wait : nil
        }
        wait?.resume()
    }

    /// Keeps a socket for ``end()`` to shut down; false where that has begun.
    private func keep(_ socket: FileDescriptor) -> Bool {
        state.withLock { state in
            if !state.isEnding { state.ends.insert(socket.rawValue) }
            return !state.isEnding
        }
    }

    private func close(_ socket: FileDescriptor) {
        _ = state.withLock { $0.ends.remove(socket.rawValue) }
        try? socket.close()
    }

    private func accept(_ listener: FileDescriptor) {
        guard keep(listener) else { return close(listener) }
        while true {
            var event = pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, -1) >= 0 || errno == EINTR else { break }
            let number = Glibc.accept(listener.rawValue, nil, nil)
            if number >= 0 {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                connect(FileDescriptor(rawValue: number))
            } else if cell.shortage.wait(after: errno), !state.withLock(\.isEnding) {
                continue
            } else if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) || state.withLock(\.isEnding) {
                break
            }
        }
        close(listener)
    }

    private func connect(_ near: FileDescriptor) {
        guard keep(near) else { return close(near) }
        state.withLock { $0.running += 1 }
        Task {
            if let far = try? await cell.socket(on: .client, .tcp).descriptor {
                run(
                    { self.carry(near, far) },
                    orElse: {
                        SocketPump.reset(near)
                        close(far)
                        close(near)
                    })
            } else {
                SocketPump.reset(near)
                close(near)
            }
            finishOne()
        }
    }

    private func carry(_ near: FileDescriptor, _ far: FileDescriptor) {
        defer {
            close(far)
            close(near)
        }
        guard keep(far), SocketConnection.make(far, to: CellAddresses.outside.address, port: port) else {
            // As a port that nobody listens on would.
            return SocketPump.reset(near)
        }
        var pump = SocketPump(near, far)
        pump.run()
    }
}
