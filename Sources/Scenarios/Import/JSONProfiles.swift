import Documents
import LinkModel
import SystemPackage

/// Reads links in JSON: custom networks of Chrome DevTools, and the output of tcshow.
enum JSONProfiles {
    private static let mostProfiles = 500

    static func read(_ text: String, of file: FilePath) throws(InvalidFiles) -> ImportedList {
        var list = ImportedList(of: file)
        do throws(JSONProblem) {
            let node = try JSONReader.read(text)
            switch node.content {
            case .array(let networks): try addNetworks(networks, to: &list)
            case .object(let members) where members.contains { $0.key == "title" || $0.key == "latency" }:
                try addNetworks([node], to: &list)
            case .object(let devices):
                for device in devices.prefix(mostProfiles) { try addDevice(device, to: &list) }
            case .string, .literal:
                throw JSONProblem(
                    node.mark, "there should be a list of networks or of devices, and there is \(node.kind)")
            }
        } catch {
            list.refuse(error.mark, error.reason)
        }
        return try list.checked("network of Chrome DevTools or device of tcshow")
    }

    /// Networks of DevTools: rates in bytes per second, -1 for no limit, and the latency of each request in
    /// milliseconds.
    private static func addNetworks(_ networks: [JSONNode], to list: inout ImportedList) throws(JSONProblem) {
        for network in networks.prefix(mostProfiles) {
            let members = try network.members("a network with a title")
            let title = try network.required("title").text()
            var conditions = LinkConditions()
            var notes: [String] = []
            for (key, direction) in [("download", Direction.downlink), ("upload", .uplink)] {
                guard let node = try network.member(key), let bytes = node.number, bytes >= 0 else { continue }
                guard let rate = ToolQuantity.rate(bytes * 8) else {
                    throw JSONProblem(
                        node.mark,
                        bytes == 0
                            ? "'\(title.abbreviated)' is offline: use the profile 'offline' instead"
                            : "\"\(key)\" is not a rate of 1 bit/s to 1000 Gbit/s")
                }
                conditions[direction].rate = rate
            }
            if let node = try network.member("latency"), let latency = node.number, latency > 0 {
                guard conditions.setRoundTrip(milliseconds: latency) else {
                    throw JSONProblem(node.mark, "\"latency\" is more than an hour")
                }
                notes.append(
                    "the latency of '\(title.abbreviated)' is per request in DevTools; here it is the round-trip time of each packet"
                )
            }
            if let node = try network.member("packetLoss"), let loss = node.number, loss > 0 {
                guard let ratio = ToolQuantity.percent(loss) else {
                    throw JSONProblem(node.mark, "\"packetLoss\" is \(loss) %; the most is 100 %")
                }
                for direction in Direction.allCases { conditions[direction].loss = .random(ratio) }
                notes.append(
                    "the packet loss of '\(title.abbreviated)' applies only to WebRTC in DevTools; here it applies to all packets"
                )
            }
            if let node = try network.member("packetQueueLength"), let count = node.number, count > 0 {
                guard let packets = Int(exactly: count), LinkBounds.queuePackets.contains(packets) else {
                    throw JSONProblem(node.mark, "\"packetQueueLength\" is not a number of packets from 1 to 1000000")
                }
                for direction in Direction.allCases { conditions[direction].queue = .packets(packets) }
            }
            if case .literal("true")? = try network.member("packetReordering")?.content {
                notes.append(
                    "'\(title.abbreviated)' reorders packets but does not say how many: add 'reorder' to the profile")
            }
            let known: Set = [
                "title", "download", "upload", "latency", "packetLoss", "packetQueueLength", "packetReordering", "key",
                "i18nTitleKey", "targetLatency",
            ]
            notes += members.map(\.key).filter { !known.contains($0) }.map {
                "the unknown key '\($0.abbreviated)' of '\(title.abbreviated)' was left out"
            }
            list.add(title, conditions, from: "a custom network of Chrome DevTools", notes: notes)
        }
    }

    /// A device of tcshow: outgoing and incoming rules, by filter.
    private static func addDevice(_ device: JSONNode.Member, to list: inout ImportedList) throws(JSONProblem) {
        var conditions = LinkConditions()
        var notes: [String] = []
        for side in try device.value.members("\"outgoing\" and \"incoming\" of a device") {
            guard side.key == "outgoing" || side.key == "incoming" else {
                notes.append("the unknown key '\(side.key.abbreviated)' of '\(device.key.abbreviated)' was left out")
                continue
            }
            let rules = try side.value.members("an object with one rule for each filter")
            guard let rule = rules.first else { continue }
            guard rules.count == 1 else {
                throw JSONProblem(
                    rules[1].mark,
                    "'\(device.key.abbreviated)' has \(rules.count) \(side.key) rules, but a link has one: keep one")
            }
            let direction: Direction = side.key == "incoming" ? .downlink : .uplink
            for setting in try rule.value.members("the settings of a rule") where setting.key != "filter_id" {
                let text = (try? setting.value.text()) ?? setting.value.number.map { "\($0)" } ?? ""
                guard ShapingScript.set(setting.key, text, &conditions[direction], &notes) else {
                    throw JSONProblem(
                        setting.mark, "\"\(setting.key)\": '\(text.abbreviated)' is not a supported link setting")
                }
            }
        }
        list.add(device.key, conditions, from: "an output of tcshow", notes: notes)
    }
}
