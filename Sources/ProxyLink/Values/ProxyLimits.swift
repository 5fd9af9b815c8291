internal import LinkModel

/// Bounds on what clients can make a proxy spend.
package struct ProxyLimits: Sendable, Hashable {
    /// Connections at one time, 4096 by default; fewer where the process may not open two descriptors for each.
    package var connections = 4096
    /// Bytes of a request's head, 16 KiB by default.
    package var headBytes = 16 * 1024
    /// How long a client may take for a request's head, or for greeting and request of SOCKS, 10 s by default.
    package var headTime = Duration.seconds(10)
    /// How long a real connection to the target may take to come about, 10 s by default.
    package var dialTime = Duration.seconds(10)
    /// Events that wait for their reader, 65,536 by default; later ones are counted and not kept.
    package var events = 65_536
    /// Decisions about packets that are kept for ``ProxyLink/record()``, as many as a list has by default; others are counted.
    package var decisions = FaultSchedule.mostLines

    package init() {}

    /// Those of a link that stands for as long as its user likes, and of which nobody asks for a record.
    package static var standing: ProxyLimits {
        var limits = ProxyLimits()
        limits.events = 4096
        limits.decisions = 0
        return limits
    }
}
