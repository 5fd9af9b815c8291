import Dispatch
import Glibc
import SystemPackage
import Testbed

/// A request of 200 bytes and its response; one thread plays both ends.
struct Download: Sendable {
    struct Times: Sendable {
        var connected = 0.0
        var firstByte = 0.0
        var complete = 0.0
        var longestGap = 0.0
    }

    let listener: FileDescriptor
    let client: FileDescriptor
    let port: UInt16
    let bytes: Int

    private static let requestBytes = 200
    private static let limit = 300.0

    func times() async throws -> Times? {
        try await withCheckedThrowingContinuation { continuation in
            // On a thread that may block, because Swift's own threads must not.
            DispatchQueue.global().async { continuation.resume(with: Result { try transfer() }) }
        }
    }

    private func transfer() throws -> Times? {
        var times = Times()
        let start = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        try connect()
        try wait(client, Int32(POLLOUT))
        times.connected = elapsed()
        let buffer = [UInt8](repeating: 0x41, count: 65_536)
        _ = try buffer[..<Self.requestBytes].withUnsafeBytes { try client.write($0) }
        try wait(listener, Int32(POLLIN))
        let host = FileDescriptor(rawValue: accept(listener.rawValue, nil, nil))
        guard host.rawValue >= 0 else { throw Errno(rawValue: errno) }
        defer { try? host.close() }
        guard fcntl(host.rawValue, F_SETFL, O_NONBLOCK) == 0 else { throw Errno(rawValue: errno) }
        var asked = 0
        var sent = 0
        var received = 0
        var last = 0.0
        var scratch = buffer
        while received < bytes {
            let hostWaits: Int32 = asked < Self.requestBytes ? POLLIN : sent < bytes ? POLLOUT : 0
            var watched = [
                pollfd(fd: client.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hostWaits == 0 ? -1 : host.rawValue, events: Int16(hostWaits), revents: 0),
            ]
            guard poll(&watched, 2, 10_000) >= 0, elapsed() < Self.limit else { return nil }
            while let count = try read(client, &scratch), count > 0 {
                let now = elapsed()
                if received == 0 { times.firstByte = now } else { times.longestGap = max(times.longestGap, now - last) }
                received += count
                last = now
            }
            while asked < Self.requestBytes, let count = try read(host, &scratch), count > 0 { asked += count }
            while asked == Self.requestBytes, sent < bytes,
                let count = try write(host, buffer[..<min(buffer.count, bytes - sent)])
            {
                sent += count
            }
        }
        times.complete = last
        return times
    }

    private func connect() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, SandboxAddresses.hostIPv4, &address.sin_addr)
        let answer = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard answer == 0 || errno == EINPROGRESS else { throw Errno(rawValue: errno) }
    }

    private func wait(_ descriptor: FileDescriptor, _ events: Int32) throws {
        var watched = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
        guard poll(&watched, 1, Int32(Self.limit * 1000)) == 1 else { throw Errno.timedOut }
    }

    /// The count of bytes that were read; nil if it would have to wait.
    private func read(_ descriptor: FileDescriptor, _ buffer: inout [UInt8]) throws -> Int? {
        do {
            return try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        } catch Errno.wouldBlock {
            return nil
        }
    }

    private func write(_ descriptor: FileDescriptor, _ bytes: ArraySlice<UInt8>) throws -> Int? {
        do {
            return try bytes.withUnsafeBytes { try descriptor.write($0) }
        } catch Errno.wouldBlock {
            return nil
        }
    }
}
