import Results

extension RunResult {
    /// What put the links there, and why, one text for each that differs: `9 links by packet: auto, …`.
    var linkTexts: [String] {
        var order: [String] = []
        var counts: [String: Int] = [:]
        // A cell without an attempt had no link.
        for text in cells.filter({ !$0.attempts.isEmpty }).map(\.link.choiceText) {
            if counts[text] == nil { order.append(text) }
            counts[text, default: 0] += 1
        }
        return order.map { text in
            let count = counts[text, default: 0]
            return "\(count) \(count == 1 ? "link" : "links") \(text)"
        }
    }
}

extension LinkFacts {
    /// `by packet (fidelity: packet), auto: the first that can be had here`.
    fileprivate var choiceText: String {
        let why = reason.map { $0.withoutFullStop } ?? (fidelityAsked == nil ? nil : "as the scenario asks")
        // What is swapped for packets must not be taken for them.
        let isModelled = fidelity == "modelled" && fidelityAsked == nil
        let warning = isModelled ? "; times are not comparable with those over packets" : ""
        return "by \(backend) (fidelity: \(fidelity))" + (why.map { ", \($0)" } ?? "") + warning
    }
}
