import Wording

/// The job log of GNU parallel, with one line for each ended job.
struct SSHJobLog: Hashable, Sendable {
    struct End: Hashable, Sendable {
        var host: String
        var status: Int32
        var signal: Int32
    }

    /// The ended jobs, by number from 1.
    var ends: [Int: End] = [:]

    /// Reads the columns Seq, Host, Starttime, JobRuntime, Send, Receive, Exitval, Signal and Command, separated by
    /// tabs.
    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: "\t", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9, let number = Int(fields[0]), let status = Int32(fields[6]),
                let signal = Int32(fields[7])
            else { continue }
            ends[number] = End(host: fields[1].trimmed, status: status, signal: signal)
        }
    }
}

extension SSHJobLog.End {
    /// The exit status of ssh(1) if the connection failed.
    private static let noConnection: Int32 = 255
    /// Exit statuses of sh(1) for a program that cannot be executed (126) or is not found (127).
    ///
    /// 71 is the status of a shard's script that has no folder.
    private static let noStart: Set<Int32> = [71, 126, 127]

    /// The state of the shard; `errors` is the last line of ssh's errors.
    func state(errors: String) -> ShardState {
        let said = errors.isEmpty ? "" : ": \(errors)"
        if status == Self.noConnection { return .lost("the connection to \(host) failed\(said)") }
        if Self.noStart.contains(status) { return .lost("\(host) could not start it (status \(status))\(said)") }
        if signal != 0 || status < 0 || status >= 128 {
            return .lost("a signal ended it on \(host) (\(signal != 0 ? signal : status - 128))")
        }
        return .ended(status: status)
    }
}
