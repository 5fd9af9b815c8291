/// The times of the attempts, by profile and size.
struct Table {
    private var rows: [(trial: Trial, times: [Download.Times])] = []

    init(_ results: [(trial: Trial, times: Download.Times?)]) {
        for (trial, times) in results {
            guard let times else { continue }
            if let last = rows.indices.last, rows[last].trial.profile.name == trial.profile.name,
                rows[last].trial.bytes == trial.bytes
            {
                rows[last].times.append(times)
            } else {
                rows.append((trial, [times]))
            }
        }
        rows.sort { ($0.trial.profile.name, $0.trial.bytes) < ($1.trial.profile.name, $1.trial.bytes) }
    }

    /// A line for each row: minimum, quartiles and maximum of each time, in seconds from the start of the connection.
    ///
    /// `longestGap` is in seconds too, but from one piece to the next.
    var json: String {
        let lines = rows.map { row in
            func quartiles(_ time: (Download.Times) -> Double) -> String {
                let sorted = row.times.map(time).sorted()
                let picked = (0...4).map { sorted[(sorted.count - 1) * $0 / 4] }
                return "[" + picked.map { "\(($0 * 1e4).rounded() / 1e4)" }.joined(separator: ", ") + "]"
            }
            return """
                {"profile": "\(row.trial.profile.name)", "bytes": \(row.trial.bytes), "attempts": \(row.times.count), \
                "firstByte": \(quartiles(\.firstByte)), "complete": \(quartiles(\.complete)), \
                "longestGap": \(quartiles(\.longestGap))}
                """
        }
        return "[\n  " + lines.joined(separator: ",\n  ") + "\n]"
    }
}
