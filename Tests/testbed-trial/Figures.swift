import Glibc
import SystemPackage
import Testbed

/// How long cells take to come and go, and what memory they need; for people.
enum Figures {
    static func measure(_ options: Options) async throws {
        var ups: [Duration] = [], goings: [Duration] = []
        for _ in 0..<options.count {
            let start = ContinuousClock.now
            var up = start
            var last = start
            try await withCell(options.configuration) { _ in
                up = .now
                last = .now
            }
            ups.append(up - start)
            goings.append(.now - last)
        }
        say("up", summary(ups), "gone", summary(goings))
        say("available memory for each of 20:", try await memory(options, cells: 20) / 20 / 1024, "MiB")
    }

    private static func summary(_ durations: [Duration]) -> String {
        let sorted = durations.sorted()
        return
            "median \(sorted[sorted.count / 2]), 95% \(sorted[sorted.count * 95 / 100]), most \(sorted[sorted.count - 1])"
    }

    /// By how many KiB the machine's available memory is less while the cells are up.
    private static func memory(_ options: Options, cells: Int) async throws -> Int {
        let before = available()
        return try await nest(options, cells) { before - available() }
    }

    private static func nest(_ options: Options, _ count: Int, _ body: () -> Int) async throws -> Int {
        guard count > 0 else { return body() }
        return try await withCell(options.configuration) { _ in try await nest(options, count - 1, body) }
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
