import Foundation
import Testing

@testable import PackFormat

/// The locale for names in archives.
struct UTF8LocaleTests {
    /// The resident memory of this process, in bytes; see proc_pid_statm(5).
    private func resident() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Found by `Fuzz/run archive`: of two locales that were made for an archive only one was freed, so 240 bytes
    /// leaked.
    @Test func useLeaksNoMemory() throws {
        for _ in 0..<1000 { UTF8Locale.use {} }
        let before = try resident()
        for _ in 0..<200_000 { UTF8Locale.use {} }
        // 48 MB would leak; the memory of tests that run at the same time counts, too.
        #expect(try resident() - before < 24_000_000)
    }
}
