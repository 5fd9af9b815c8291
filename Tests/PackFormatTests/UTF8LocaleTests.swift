import Foundation
import Testing

@testable import PackFormat

/// The locale of archives' names.
struct UTF8LocaleTests {
    /// Bytes of memory that this process has; see proc_pid_statm(5).
    private func resident() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Found by `Fuzz/run archive`: of two locales that were made for an archive one was freed, and 240 bytes stayed.
    @Test func nothingStaysOfIt() throws {
        for _ in 0..<1000 { UTF8Locale.use {} }
        let before = try resident()
        for _ in 0..<200_000 { UTF8Locale.use {} }
        // 48 MB would stay; what tests beside this one need counts too.
        #expect(try resident() - before < 24_000_000)
    }
}
