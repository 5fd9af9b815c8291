import FoundationEssentials
import SystemPackage

/// The line of JSON in which the guard reports how its command ended, or that it keeps a directory.
///
/// See `report.h`.
struct GuardReport: Decodable {
    let v: Int
    let cause: String?
    let outcome: String
    let code: Int32
    // The following are absent if the guard failed, or keeps a directory.
    let endedNanoseconds: Int64?
    let userMicroseconds: Int64?
    let systemMicroseconds: Int64?
    let maxResidentBytes: Int64?
    let longestWaitMicroseconds: Int64?
    let wantedMicroseconds: [[Int64]]?
    let ended: Int?
    let left: Int?
    let namespace: Bool?
    let leftNamed: [GuardedExit.LeftProcess]?

    enum CodingKeys: String, CodingKey {
        case v, cause, outcome, code, ended, left, namespace
        case endedNanoseconds = "ended_ns"
        case userMicroseconds = "user_us"
        case systemMicroseconds = "system_us"
        case maxResidentBytes = "max_rss_bytes"
        case longestWaitMicroseconds = "longest_wait_us"
        case wantedMicroseconds = "wanted_us"
        case leftNamed = "left_named"
    }

    /// Reads a report; `nil` if the guard was killed before it wrote the whole line.
    init?(line: [UInt8]) {
        guard let report = try? JSONDecoder().decode(GuardReport.self, from: Data(line)), report.v == 1 else {
            return nil
        }
        self = report
    }

    /// Whether one of the two guards was killed, and the other one ended the program.
    var isGuardLost: Bool { outcome == "lost" || cause == "guard" }

    /// How the command ended; nil if it never began.
    func exit(timedOut: Bool) -> GuardedExit? {
        let status: GuardedExit.Status
        switch outcome {
        case "exited": status = .exited(code)
        case "signaled": status = .signaled(code)
        case "not-executed": status = .notExecuted(Errno(rawValue: code))
        case "no-directory": status = .noDirectory(Errno(rawValue: code))
        case "left": status = .left
        default: return nil
        }
        return GuardedExit(
            status: status,
            // A command that ended by itself at that moment was in time.
            timedOut: timedOut && cause == "signal",
            userTime: .microseconds(userMicroseconds ?? 0),
            systemTime: .microseconds(systemMicroseconds ?? 0),
            maxResidentBytes: maxResidentBytes ?? 0,
            survivorsEnded: ended ?? 0,
            leftCount: left ?? 0,
            left: leftNamed ?? [],
            endedNanoseconds: endedNanoseconds.flatMap { $0 > 0 ? $0 : nil },
            longestWait: longestWaitMicroseconds.map { .microseconds($0) },
            stretches: wantedMicroseconds?.compactMap { .init(microseconds: $0) }, hadNamespace: namespace ?? false)
    }
}
