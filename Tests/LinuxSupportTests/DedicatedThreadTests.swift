import Glibc
import LinuxSupport
import Testing

struct DedicatedThreadTests {
    /// The status of a thread, from its own file under /proc.
    private struct Status {
        var name = ""
        /// SigBlk of proc(5).
        var blocked: UInt64 = 0

        static func read() -> Status {
            guard let file = fopen("/proc/thread-self/status", "r") else { return Status() }
            defer { fclose(file) }
            var status = Status()
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                let words = text.split(whereSeparator: \.isWhitespace)
                guard words.count == 2 else { continue }
                if words[0] == "Name:" { status.name = String(words[1]) }
                if words[0] == "SigBlk:" { status.blocked = UInt64(words[1], radix: 16) ?? 0 }
            }
            return status
        }
    }

    private func status(named name: String? = nil) async throws -> Status {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try DedicatedThread.start(named: name) {
                    continuation.resume(returning: Status.read())
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test(arguments: ["packet-capture", "a"])
    func `it has its name`(name: String) async throws {
        #expect(try await status(named: name).name == name)
    }

    @Test(arguments: [
        (SIGINT, true), (SIGTERM, true), (SIGPIPE, true), (SIGTTIN, true), (SIGSEGV, false), (SIGTRAP, false),
        (SIGABRT, false),
    ])
    func `it blocks all signals except those of its own faults`(signal: Int32, isBlocked: Bool) async throws {
        #expect((try await status().blocked & 1 << (signal - 1) != 0) == isBlocked)
    }

    @Test func `a joined thread has done its work`() throws {
        nonisolated(unsafe) var isDone = false
        let thread = try DedicatedThread.startToBeJoined {
            usleep(1000)
            isDone = true
        }
        #expect(pthread_join(thread, nil) == 0)
        #expect(isDone)
    }
}
