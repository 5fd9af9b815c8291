import CLinux
import Glibc
import SystemPackage
import Testbed

/// How long sandboxes take to start and end, and how much memory they need: a line of JSON for Benchmarks/sandboxes.
enum Figures {
    static func measure(_ options: Options) async throws {
        var ups: [Duration] = [], goings: [Duration] = []
        for _ in 0..<options.count {
            let start = ContinuousClock.now
            var up = start
            var last = start
            try await withSandbox(options.configuration) { _ in
                up = .now
                last = .now
            }
            ups.append(up - start)
            goings.append(.now - last)
        }
        let memory = try await memory(options, sandboxes: 20) / 20
        say(#"{"up_ms":\#(milliseconds(ups)),"gone_ms":\#(milliseconds(goings)),"memory_kib":\#(memory)}"#)
    }

    /// How long the kernel keeps the networks of a sandbox that has ended.
    ///
    /// It must run in a user namespace with `user.max_net_namespaces` at 3, which is what one sandbox needs. The next
    /// network can be made when the kernel has really removed those.
    static func takedowns(_ options: Options) async throws {
        var times: [Duration] = []
        for _ in 0..<options.count {
            while true {
                do {
                    try await withSandbox(options.configuration) { _ in }
                    break
                } catch SandboxError.refused(let refusal) where refusal.kind == .limit {
                    // A refused sandbox has made some networks too, which must be gone before the next try.
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            let start = ContinuousClock.now
            await makeNetwork()
            times.append(.now - start)
        }
        say(#"{"taken_down_ms":\#(milliseconds(times))}"#)
    }

    /// Returns when a network could be made, which ends with the thread that made it.
    private static func makeNetwork() async {
        await withCheckedContinuation { continuation in
            ThreadBody {
                while headwind_unshare_network() != 0, errno == ENOSPC { usleep(200) }
                continuation.resume()
            }.start()
        }
    }

    private static func milliseconds(_ durations: [Duration]) -> [Double] {
        durations.map { Double($0 / .microseconds(1)) / 1000 }
    }

    /// The KiB by which the machine's available memory falls while the sandboxes are up.
    private static func memory(_ options: Options, sandboxes: Int) async throws -> Int {
        let before = available()
        return try await nest(options, sandboxes) { before - available() }
    }

    private static func nest(_ options: Options, _ count: Int, _ body: () -> Int) async throws -> Int {
        guard count > 0 else { return body() }
        return try await withSandbox(options.configuration) { _ in try await nest(options, count - 1, body) }
    }

    private static func available() -> Int {
        guard let file = fopen("/proc/meminfo", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("MemAvailable:") {
                return Int(text.split(separator: " ")[1]) ?? 0
            }
        }
        return 0
    }
}
