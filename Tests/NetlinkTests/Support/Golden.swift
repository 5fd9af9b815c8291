import Netlink
import Testing

/// Expects that a message equals an annotated listing, byte for byte.
///
/// A line of the listing has bytes in hexadecimal, and after `#` what they mean.
func expect(_ message: RouteMessage, is golden: String, _ location: SourceLocation = #_sourceLocation) {
    let found = message.bytes
    var offset = 0
    for line in golden.split(separator: "\n") {
        let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let wanted = parts[0].split(separator: " ").map { UInt8($0, radix: 16) }
        let note = parts.count > 1 ? parts[1].trimmed : ""
        guard wanted.allSatisfy({ $0 != nil }) else {
            Issue.record("'\(line)' is not a line of a listing", sourceLocation: location)
            return
        }
        let actual = Array(found.dropFirst(offset).prefix(wanted.count))
        #expect(
            hexadecimal(actual) == hexadecimal(wanted.compactMap { $0 }), "at byte \(offset): \(note)",
            sourceLocation: location)
        offset += wanted.count
    }
    let rest = Array(found.dropFirst(offset))
    #expect(rest.isEmpty, "behind the end: \(hexadecimal(rest))", sourceLocation: location)
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}

/// An interface that exists only in messages.
let someInterface = NetworkInterface(index: 7, name: "veth7")
