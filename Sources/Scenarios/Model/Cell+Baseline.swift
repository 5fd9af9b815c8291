extension Cell {
    /// What must be the same for numbers of two runs to be compared: what the scenario says of content, device, faults and
    /// workload.
    ///
    /// Not the link, which has a text of its own, nor what is asked of the numbers, nor the words of a command: those are what
    /// is tested. Nil for a cell that no text was read for.
    package var comparedText: String? {
        guard case .mapping(let entries)? = source?.content else { return nil }
        let others = [
            "scenario", "version", "check", "matrix", "cells", "link", "budgets", "expect", "attempts", "deadline",
            "quarantine",
        ]
        var kept: [(String, YAMLNode?)] = entries.filter { !others.contains($0.key) }.map { ($0.key, $0.value) }
        if case .command(let command) = workload {
            kept.removeAll { $0.0 == "workload" }
            kept.append(("pack", command.pack.map { .made($0) }))
        }
        // Its address is what two hosts differ in.
        if case .host = content { kept.removeAll { $0.0 == "host" } }
        return YAMLNode.made(kept.sorted { $0.0 < $1.0 }).text
    }

    /// What the link does, with the seed of its chance.
    package var comparedLink: String {
        let (text, traces) = link.profile.files
        let parts = [text] + traces.sorted { $0.key < $1.key }.map(\.value) + ["seed: \(link.seed)"]
        return parts.joined(separator: "\n")
    }
}
