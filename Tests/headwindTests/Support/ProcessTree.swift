import FoundationEssentials
import Glibc

/// The processes with a test's mark in their environment.
enum ProcessTree {
    struct Entry {
        let number: pid_t
        let name: String
    }

    /// The living processes whose variable `HEADWIND_MARK` is `mark`.
    ///
    /// Guards are among them, as the variable's name ends so in their environment (`+HEADWIND_MARK`).
    static func marked(_ mark: String) -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap { number in
            guard text("/proc/\(number)/environ").contains("HEADWIND_MARK=\(mark)\0") else { return nil }
            // A name may contain spaces and parentheses, so only the last `)` ends it. See proc_pid_stat(5).
            let parts = text("/proc/\(number)/stat").split(separator: ")")
            guard let state = parts.last?.dropFirst().first, state != "Z", state != "X" else { return nil }
            return Entry(number: number, name: parts[0].split(separator: "(").last.map(String.init) ?? "")
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
    }
}
