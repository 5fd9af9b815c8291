import Glibc
import SystemPackage

/// The versions of the Internet Protocol by which this process's network leads elsewhere: those with a default route.
struct OutsideFamilies: Equatable {
    var hasIPv4 = false
    var hasIPv6 = false

    /// See proc(5), /proc/net/route; /proc/net/ipv6_route has the destination, its length, and the interface last.
    static func current() -> OutsideFamilies {
        OutsideFamilies(
            ipv4: SandboxReadings.text("/proc/self/net/route") ?? "",
            ipv6: SandboxReadings.text("/proc/self/net/ipv6_route") ?? "")
    }

    init(ipv4: String, ipv6: String) {
        hasIPv4 = Self.rows(ipv4).dropFirst().contains { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }
        hasIPv6 = Self.rows(ipv6).contains { row in
            row.count == 10 && row[0].allSatisfy { $0 == "0" } && row[1] == "00" && row[9] != "lo"
        }
    }

    private static func rows(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
    }
}
