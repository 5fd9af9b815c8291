import FoundationEssentials
import Glibc
import ProxyLink
import SystemPackage

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

    /// Writes the file in one step: whoever sees it sees all of it.
    func write(to path: FilePath) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        let draft = FilePath("\(path.string).\(getpid())")
        let file = try FileDescriptor.open(
            draft, .writeOnly, options: [.create, .exclusiveCreate],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try file.closeAfter { _ = try file.writeAll(bytes) }
        guard rename(draft.string, path.string) == 0 else {
            let error = Errno(rawValue: errno)
            unlink(draft.string)
            throw error
        }
    }
}
