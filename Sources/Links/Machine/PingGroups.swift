import Glibc
import SystemPackage

/// Who may ping without privileges here, as what carries the pings of a sandbox to this machine's networks has none.
///
/// See icmp(7), `ping_group_range`.
package struct PingGroups {
    private let range: ClosedRange<UInt32>?

    /// `text` is as the kernel tells it: the first and the last group, the first being greater where it is no group.
    init(_ text: String) {
        let ends = text.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
        range = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    /// What holds here.
    package static var current: PingGroups {
        guard let file = try? FileDescriptor.open("/proc/sys/net/ipv4/ping_group_range", .readOnly) else {
            return PingGroups("")
        }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = (try? file.closeAfter { try bytes.withUnsafeMutableBytes { try file.read(into: $0) } }) ?? 0
        return PingGroups(String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Why pings of programs in sandboxes get no answer, and what to do; nil where they do.
    package func refusal(for group: UInt32 = getegid()) -> String? {
        if let range, range.contains(group) { return nil }
        return "Pings to this machine's networks get no answer: the kernel does not let group \(group) send them "
            + "(net.ipv4.ping_group_range). To change that: sudo sysctl -w net.ipv4.ping_group_range='0 2147483647'."
    }
}
