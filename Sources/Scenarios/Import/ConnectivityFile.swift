import Documents
import LinkModel
import SystemPackage
import Wording

/// Reads the connections in a `connectivity.ini` of WebPageTest.
///
/// Rates are in bit/s, the round-trip time is in milliseconds, and losses are in percent.
enum ConnectivityFile {
    /// The limit on connections of a file; real files have far fewer.
    private static let mostSections = 500

    /// Whether a text begins with a section's header.
    static func isOne(_ text: Substring) -> Bool {
        guard let line = lines(text).first(where: { !isLeftOut($0) }), line.hasPrefix("["), line.hasSuffix("]") else {
            return false
        }
        return line.dropFirst().first.map { $0.isLetter || $0.isNumber } ?? false
    }

    static func read(_ text: Substring, of file: FilePath) throws(InvalidFiles) -> ImportedList {
        var list = ImportedList(of: file)
        var section: (name: String, line: Int, values: [String: String])?
        func close(_ list: inout ImportedList) {
            if let section { add(section.name, section.line, section.values, to: &list) }
        }
        var count = 0
        for (index, line) in lines(text).enumerated() where !isLeftOut(line) {
            let mark = Mark(line: index + 1, column: 1)
            if line.hasPrefix("["), line.hasSuffix("]") {
                close(&list)
                count += 1
                guard count <= mostSections else {
                    list.refuse(mark, "the file has more than \(mostSections) connections")
                    return try list.checked("connection")
                }
                section = (String(line.dropFirst().dropLast()), index + 1, [:])
            } else if let equals = line.firstIndex(of: "="), section != nil {
                let value = line[line.index(after: equals)...].trimmed
                section?.values[line[..<equals].trimmed] = value.filter { $0 != "\"" }
            } else {
                list.refuse(mark, "'\(String(line).abbreviated)' is neither a section nor a key with a value")
            }
        }
        close(&list)
        return try list.checked("connection of WebPageTest")
    }

    private static func add(_ name: String, _ line: Int, _ values: [String: String], to list: inout ImportedList) {
        let mark = Mark(line: line, column: 1)
        func number(_ key: String, _ list: inout ImportedList) -> Double {
            guard let text = values[key] else { return 0 }
            if let number = Double(text), number.isFinite, number >= 0 { return number }
            list.refuse(mark, "'\(key)' of '\(name.abbreviated)' is '\(text.abbreviated)', not a number of 0 or more")
            return 0
        }
        var conditions = LinkConditions()
        for (key, direction) in [("bwIn", Direction.downlink), ("bwOut", .uplink)] {
            let bits = number(key, &list)
            guard bits > 0 else { continue }
            guard let rate = ToolQuantity.rate(bits) else {
                list.refuse(mark, "'\(key)' of '\(name.abbreviated)' is \(bits) bit/s; the most is 1000 Gbit/s")
                continue
            }
            conditions[direction].rate = rate
        }
        if !conditions.setRoundTrip(milliseconds: number("latency", &list)) {
            list.refuse(mark, "'latency' of '\(name.abbreviated)' is more than an hour")
        }
        let loss = number("plr", &list)
        if let ratio = ToolQuantity.percent(loss), ratio != .zero {
            for direction in Direction.allCases { conditions[direction].loss = .random(ratio) }
        } else if loss > 100 {
            list.refuse(mark, "'plr' of '\(name.abbreviated)' is \(loss) %; the most is 100 %")
        }
        let known: Set = ["label", "bwIn", "bwOut", "latency", "plr", "isDefault", "hidden"]
        let notes = values.keys.filter { !known.contains($0) }.sorted().map {
            "the unknown key '\($0.abbreviated)' of '\(name.abbreviated)' was left out"
        }
        list.add(name, conditions, from: "a connectivity.ini of WebPageTest", notes: notes)
    }

    private static func lines(_ text: Substring) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { Substring($0.trimmed) }
    }

    private static func isLeftOut(_ line: Substring) -> Bool {
        line.isEmpty || line.hasPrefix(";") || line.hasPrefix("#")
    }
}

extension LinkConditions {
    /// Sets the delays from a round-trip time: half of it each way, and an odd millisecond in the downlink.
    ///
    /// Returns false if no link can have it.
    mutating func setRoundTrip(milliseconds: Double) -> Bool {
        let half = (milliseconds / 2).rounded(.down)
        guard let up = ToolQuantity.time(milliseconds: half),
            let down = ToolQuantity.time(milliseconds: milliseconds - half)
        else { return false }
        (uplink.delay, downlink.delay) = (up, down)
        return true
    }
}
