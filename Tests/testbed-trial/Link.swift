import Glibc
import SystemPackage
import Testbed

/// A link that passes everything at once: a thread that copies packets between the two TUNs.
enum Link {
    /// Runs the link while `body` runs.
    static func with<Value>(_ sandbox: Sandbox, _ body: () async throws -> Value) async throws -> Value {
        let stop = try FileDescriptor.pipe()
        let ends = (sandbox.clientTUN.rawValue, sandbox.hostTUN.rawValue, stop.readEnd.rawValue)
        let done = Task.detached { await copy(ends.0, ends.1, until: ends.2) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try stop.writeEnd.close()
        await done.value
        try stop.readEnd.close()
        return try result.get()
    }

    private static func copy(_ first: Int32, _ second: Int32, until stop: Int32) async {
        await withCheckedContinuation { continuation in
            let thread = ThreadBody {
                var packet = [UInt8](repeating: 0, count: 65536)
                var events = [first, second, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                while true {
                    poll(&events, 3, -1)
                    if events[2].revents != 0 { break }
                    for (from, to) in [(first, second), (second, first)] {
                        while case let count = read(from, &packet, packet.count), count > 0 {
                            _ = write(to, packet, count)
                        }
                    }
                }
                continuation.resume()
            }
            thread.start()
        }
    }
}

/// A thread of its own, for work that blocks.
final class ThreadBody {
    private let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }

    func start() {
        let body = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { body in
                guard let body else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        pthread_detach(thread)
    }
}
