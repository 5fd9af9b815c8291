import Wording

/// The job log of GNU parallel: a line for each job that has ended.
struct SSHJobLog: Hashable, Sendable {
    struct End: Hashable, Sendable {
        var host: String
        var status: Int32
        var signal: Int32
    }

    /// By the number of the job, from 1.
    var ends: [Int: End] = [:]

    /// Seq, Host, Starttime, JobRuntime, Send, Receive, Exitval, Signal and Command, with tabs between them.
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
    /// What ssh(1) ends with where the connection failed.
    private static let noConnection: Int32 = 255
    /// What sh(1) ends with where a program was not found, or could not be executed, and 71 where a shard's script has no
    /// folder.
    private static let noStart: Set<Int32> = [71, 126, 127]

    /// What it means for the shard; `errors` is the last line that ssh said.
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
