import Glibc
import LinuxSupport

/// The groups that may ping without privileges on this machine.
///
/// The process that relays the pings of a sandbox to this machine's networks has no privileges. See icmp(7),
/// `ping_group_range`.
package struct PingGroups {
    private let range: ClosedRange<UInt32>?

    /// Reads the kernel's `text`: the first and the last group; if the first is greater, no group may.
    init(_ text: String) {
        let ends = text.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
        range = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    /// The setting of this machine.
    package static var current: PingGroups {
        PingGroups(BoundedFile.text("/proc/sys/net/ipv4/ping_group_range") ?? "")
    }

    /// Why pings of programs in sandboxes get no answer, and what to do; nil if they do.
    ///
    /// `group` is the group that sends them (default: the effective group of this process).
    package func refusal(for group: UInt32 = getegid()) -> String? {
        if let range, range.contains(group) { return nil }
        return "Pings to this machine's networks get no answer: the kernel does not let group \(group) send them "
            + "(net.ipv4.ping_group_range). To change that: sudo sysctl -w net.ipv4.ping_group_range='0 2147483647'."
    }
}
