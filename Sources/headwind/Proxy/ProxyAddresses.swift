import FoundationEssentials
import Glibc
import ProxyLink

/// Where a standing proxy can be reached.
struct ProxyAddresses: Encodable {
    struct Reverse: Encodable {
        let listen: String
        let target: String
    }

    var version = 1
    var processID = getpid()
    let forward: String?
    let reverse: [Reverse]
    let control: String?

    init(_ link: ProxyLink, doors: [ProxyLinkConfiguration.ReverseDoor], control: Endpoint?) {
        forward = link.forwardAddress.map { "http://\($0)" }
        reverse = zip(link.reverseAddresses, doors).map { listen, door in
            Reverse(listen: listen.description, target: door.target.description)
        }
        self.control = control.map { "http://\($0)/v1/link" }
    }

    var lines: [String] {
        var lines = forward.map { ["forward \($0)"] } ?? []
        lines += reverse.map { "reverse \($0.listen) \($0.target)" }
        if let control { lines.append("control \(control)") }
        return lines
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
