import Documents
import Redaction
import Results

extension PageJSON {
    /// The timeline of one attempt; `isWhole` is whether all its events were read.
    mutating func timeline(_ timeline: AttemptTimeline, isWhole: Bool) {
        add("origin", timeline.origin.map { "\($0)" })
        key("span")
        list([timeline.start, timeline.end]) { $0.seconds($1) }
        add("conditions", lists: timeline.conditions) { json, conditions in
            json.seconds(conditions.seconds)
            json.optional(conditions.downlink)
            json.optional(conditions.uplink)
            if let offline = conditions.offline { json.string(offline) } else { json.null() }
        }
        add("delivered", lists: timeline.delivered.thinned) { $0.point($1) }
        if let rates = timeline.rates() { json(rates) }
        add("gaps", list: timeline.gaps) { json, gap in
            json.list([gap.from, gap.until]) { $0.seconds($1) }
        }
        add("progress", objects: timeline.progress) { json, told in
            json.add("id", told.id)
            json.add("total", told.total)
            json.add("points", lists: told.told.thinned) { $0.share($1) }
        }
        let series = [timeline.delivered] + timeline.progress.map(\.told)
        add("thinned", series.map { $0.isThinned ? $0.points.count : 0 }.max().flatMap { $0 > 0 ? $0 : nil })
        add("cut", isWhole ? nil : true)
        rows(timeline)
    }

    private mutating func json(_ rates: (from: Double, step: Double, values: [Double])) {
        add("rates") { json in
            json.add("from", (rates.from * 1e4).rounded() / 1e4)
            json.add("step", rates.step)
            json.add("values", list: rates.values) { $0.number($1.rounded()) }
        }
    }

    private mutating func point(_ point: PointSeries.Point) {
        seconds(point.seconds)
        number(point.value)
    }

    private mutating func share(_ point: PointSeries.Point) {
        seconds(point.seconds)
        number((point.value * 1e5).rounded() / 1e5)
    }

    private mutating func rows(_ timeline: AttemptTimeline) {
        var rows = timeline.rows
        let omitted = rows.count - AttemptTimeline.mostFirst - AttemptTimeline.mostLast
        if omitted > 0 {
            rows.removeSubrange(AttemptTimeline.mostFirst..<AttemptTimeline.mostFirst + omitted)
            add("omitted", omitted)
        }
        add("counts") { json in
            for name in ["decision", "delivered", "progress", "usage"] as [StaticString] {
                json.add(name, timeline.counts["\(name)"])
            }
        }
        add("events", lists: rows) { $0.row($1) }
    }

    private mutating func row(_ row: AttemptTimeline.Row) {
        seconds(row.seconds)
        string(row.event.source.rawValue)
        string(row.event.name)
        // A list of pairs, because names are arbitrary.
        list(JSONTree.object(row.event.fields).leaves.prefix(30)) { json, field in
            json.list { json in
                json.string(String(field.key.prefix(60)))
                json.field(field.value, of: field.key)
            }
        }
    }

    private mutating func field(_ value: JSONTree, of name: String) {
        switch value {
        // Redacted again, because the file may be from anywhere.
        case .text(let text):
            let shown = String(text.prefix(300))
            string(isSecret(name) ? Redaction.mark : Redaction.text(shown))
        case .integer(let integer) where integer.magnitude < 1 << 53: self.integer(integer)
        // As text, because not every reader keeps 64 bits of a number.
        case .integer, .list, .object: string(value.line)
        case .number(let number): self.number(number)
        case .flag(let flag): self.flag(flag)
        case .null: null()
        }
    }
}

extension JSONTree {
    /// The members of an object, flattened: `a.b` is the member `b` of `a`, and the items of a list are joined by
    /// spaces.
    fileprivate var leaves: [Member] {
        members.flatMap { member -> [Member] in
            switch member.value {
            case .object: member.value.leaves.map { Member(key: "\(member.key).\($0.key)", value: $0.value) }
            case .list(let items):
                [
                    Member(
                        key: member.key,
                        value: .text(
                            items.map { if case .text(let text) = $0 { text } else { $0.line } }.joined(separator: " "))
                    )
                ]
            default: [member]
            }
        }
    }
}
