import Documents
import LinkModel
import SystemPackage
import Wording

/// Reads a script that shapes a device: lines of tc(8) with netem, tbf or htb, of comcast, and of tcset.
///
/// What a device sends is the uplink. What an `ifb` sends is the downlink: scripts redirect to it what another device
/// receives.
struct ShapingScript {
    private var list: ImportedList
    private var conditions = LinkConditions()
    private var notes: [String] = []
    /// The device of each direction.
    private var devices: [Direction: String] = [:]
    private var leftOut = 0

    private static let tools: Set<String> = ["tc", "comcast", "tcset"]
    private static let mostLines = 10_000

    /// Whether a text has a line that calls one of the tools.
    static func isOne(_ text: Substring) -> Bool {
        text.split(whereSeparator: \.isNewline).prefix(mostLines).contains { tool(words($0)) != nil }
    }

    static func read(_ text: Substring, of file: FilePath) throws(InvalidFiles) -> ImportedList {
        var script = ShapingScript(list: ImportedList(of: file))
        let joined = text.replacing("\\\n", with: "  ")
        for (index, line) in joined.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard index < mostLines else {
                script.list.refuse(Mark(line: index + 1, column: 1), "the file has more than \(mostLines) lines")
                break
            }
            script.read(words(line), at: Mark(line: index + 1, column: 1))
        }
        if script.leftOut > 0 {
            script.notes.append("\(script.leftOut) lines are not commands of tc, comcast or tcset, and were left out")
        }
        if !script.devices.isEmpty {
            if script.devices[.downlink] == nil, let device = script.devices[.uplink] {
                script.notes.append(
                    "the script shapes what '\(device.abbreviated)' sends, as the uplink; if it ran at the server, write 'downlink'"
                )
            }
            script.list.add(
                file.stem ?? "script", script.conditions, from: "a script of tc, comcast or tcset", notes: script.notes)
        }
        return try script.list.checked("device that tc, comcast or tcset shapes")
    }

    private static func words(_ line: Substring) -> [String] {
        guard !line.trimmed.hasPrefix("#") else { return [] }
        return line.split(whereSeparator: \.isWhitespace).prefix(200).map {
            String($0.filter { $0 != "\"" && $0 != "'" })
        }
    }

    /// The index of the word that is the tool's name or path, after `sudo` or `exec` if there is one; nil if there is
    /// no tool.
    private static func tool(_ words: [String]) -> Int? {
        guard let place = words.firstIndex(where: { $0 != "sudo" && $0 != "exec" }) else { return nil }
        return tools.contains(String(words[place].split(separator: "/").last ?? "")) ? place : nil
    }

    private mutating func read(_ words: [String], at mark: Mark) {
        guard let place = Self.tool(words) else {
            if !words.isEmpty { leftOut += 1 }
            return
        }
        let rest = words[(place + 1)...]
        switch words[place].split(separator: "/").last {
        case "tc": readTrafficControl(rest, mark)
        case "comcast": readComcast(rest, mark)
        default: readTCSet(rest, mark)
        }
    }

    /// Notes that a line shapes a device; returns false if the direction already has another one.
    private mutating func take(_ device: String, _ direction: Direction, _ mark: Mark) -> Bool {
        if let other = devices[direction], other != device {
            list.refuse(
                mark,
                "this line shapes '\(device.abbreviated)' after '\(other.abbreviated)', but a link has one device per direction",
                hint: "keep the lines of one device")
            return false
        }
        devices[direction] = device
        return true
    }

    /// Applies one setting by its name in tcset and tcshow; returns false if a link cannot have it.
    static func set(_ name: String, _ text: String, _ conditions: inout Conditions, _ notes: inout [String]) -> Bool {
        let amount = ToolQuantity.time(text, ToolQuantity.tcconfigTimes)
        let share = ToolQuantity.percent(text)
        switch name {
        case "rate": return ToolQuantity.rate(text, ToolQuantity.tcconfigRates).map { conditions.rate = $0 } != nil
        case "delay": return amount.map { conditions.delay = $0 } != nil
        case "delay-distro":
            return amount.map { conditions.jitter = Jitter(amount: $0, distribution: .normal) } != nil
        case "delay-distribution": return text == "normal"
        case "loss": return share.map { conditions.loss = .random($0) } != nil
        case "corrupt": return share.map { conditions.corrupt = $0 } != nil
        case "duplicate": return share.map { conditions.duplicate = $0 } != nil
        case "reordering": return share.map { conditions.reorder = $0 } != nil
        default: notes.append("the unknown setting '\(name.abbreviated)' was left out")
        }
        return true
    }

    /// `comcast --device=eth0 --latency=250 --target-bw=1000 --packet-loss=10%`.
    ///
    /// It shapes what the device sends; the latency is in milliseconds, the rate in kbit/s.
    private mutating func readComcast(_ words: ArraySlice<String>, _ mark: Mark) {
        let options = Self.options(words)
        if options.contains(where: { $0.name == "stop" }) { return }
        guard take(options.last { $0.name == "device" }?.value ?? "eth0", .uplink, mark) else { return }
        for (name, value) in options {
            var isKnown = true
            switch name {
            case "latency":
                isKnown = ToolQuantity.time(value, ["": 1e6, "ms": 1e6]).map { conditions.uplink.delay = $0 } != nil
            case "default-bw" where options.contains(where: { $0.name == "target-bw" }): break
            case "target-bw", "default-bw":
                isKnown = ToolQuantity.rate(value, ["": 1e3]).map { conditions.uplink.rate = $0 } != nil
            case "packet-loss":
                isKnown = ToolQuantity.percent(value).map { conditions.uplink.loss = .random($0) } != nil
            case "target-addr", "target-port", "target-proto":
                notes.append("'--\(name)' selects packets, but here all packets are shaped")
            case "device", "dry-run": break
            default: notes.append("the unknown option '--\(name.abbreviated)' of comcast was left out")
            }
            if !isKnown { list.refuse(mark, "'--\(name) \(value.abbreviated)' is not a supported link setting") }
        }
    }

    /// `tcset eth0 --rate 100Kbps --delay 20ms --loss 0.1% --direction incoming`.
    private mutating func readTCSet(_ words: ArraySlice<String>, _ mark: Mark) {
        let options = Self.options(words)
        let named = options.last { $0.name == "device" }?.value ?? Self.device(in: words)
        guard let device = named else { return list.refuse(mark, "tcset names no device") }
        let direction: Direction = options.contains { $0 == ("direction", "incoming") } ? .downlink : .uplink
        guard take(device, direction, mark) else { return }
        for (name, value) in options {
            switch name {
            case "device", "direction", "overwrite", "change", "add": continue
            case "network", "dst-network", "src-network", "port", "dst-port", "src-port":
                notes.append("'--\(name)' selects packets, but here all packets are shaped")
            default:
                if !Self.set(name, value, &conditions[direction], &notes) {
                    list.refuse(mark, "'--\(name) \(value.abbreviated)' is not a supported link setting")
                }
            }
        }
    }

    /// The word of tcset that is neither an option nor the value of one.
    private static func device(in words: ArraySlice<String>) -> String? {
        let flags: Set = ["--overwrite", "--change", "--add"]
        return words.indices.lazy.filter { index in
            guard !words[index].hasPrefix("-") else { return false }
            guard index > words.startIndex, words[index - 1].hasPrefix("-") else { return true }
            return words[index - 1].contains("=") || flags.contains(words[index - 1])
        }.map { words[$0] }.first
    }

    /// Options with their values, written `--name value`, `--name=value` or with one dash.
    private static func options(_ words: ArraySlice<String>) -> [(name: String, value: String)] {
        words.indices.compactMap { index in
            let word = words[index]
            guard word.hasPrefix("-"), word.contains(where: { $0 != "-" }) else { return nil }
            let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { return (parts[0], parts[1]) }
            let next = index + 1 < words.endIndex ? words[index + 1] : ""
            return (parts[0], next.hasPrefix("-") ? "" : next)
        }
    }

    /// `tc qdisc add dev eth0 root netem delay 100ms loss 1%`, and classes of htb.
    private mutating func readTrafficControl(_ words: ArraySlice<String>, _ mark: Mark) {
        var words = words.drop { $0.hasPrefix("-") }
        guard let object = words.popFirst(), let verb = words.popFirst() else { return }
        guard ["add", "change", "replace"].contains(verb) else { return }
        guard let place = words.firstIndex(of: "dev"), place + 1 < words.endIndex else {
            return list.refuse(mark, "'tc \(object.abbreviated) \(verb)' names no device")
        }
        let device = words[place + 1]
        let direction: Direction = device.hasPrefix("ifb") ? .downlink : .uplink
        guard object == "qdisc" || object == "class" else {
            notes.append("'tc \(object.abbreviated)' selects packets, but here all packets are shaped")
            return
        }
        let kinds: Set = ["netem", "tbf", "htb"]
        guard let kind = words.firstIndex(where: kinds.contains) else {
            if !words.contains("ingress"), !words.contains("clsact") {
                notes.append(
                    "'tc \(object) … \(words.last?.abbreviated ?? "")' has no equivalent in a profile, and was left out"
                )
            }
            return
        }
        guard take(device, direction, mark) else { return }
        var reader = QueueArguments(words[(kind + 1)...], conditions[direction])
        let problem = reader.read(words[kind])
        conditions[direction] = reader.conditions
        notes += reader.notes
        if let problem { list.refuse(mark, problem) }
    }
}
