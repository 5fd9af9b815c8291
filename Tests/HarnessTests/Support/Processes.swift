import Foundation

/// The processes of this machine, by their command lines.
enum Processes {
    /// The number of live processes with this word in their command line; zombies have no command line.
    static func count(marked mark: String) -> Int {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.filter { entry in
            guard Int(entry) != nil, let line = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline") else {
                return false
            }
            return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == mark }
        }.count
    }
}
