/// The constants of the TCP that a ``StreamLink`` models: those of Linux 6, with cubic.
package struct TransportParameters: Sendable, Hashable {
    /// Bytes of IP and TCP headers with timestamps (RFC 9293, RFC 7323).
    package var headerBytes = 52
    /// Bytes of a SYN with its options.
    package var handshakeBytes = 60
    /// Bytes of a DNS query and of its answer, as UDP over IPv4.
    package var queryBytes = 70
    package var answerBytes = 110
    /// First window, in segments (RFC 6928).
    package var initialWindow = 10
    /// Most bytes in flight: the size that a receiver's buffer grows to (tcp(7): tcp_rmem), ahead of the sender's
    /// window.
    package var receiveWindow = 6 * 1024 * 1024
    /// Shortest retransmission timeout beyond the smoothed round trip (Linux: TCP_RTO_MIN).
    package var minimumTimeout = Duration.milliseconds(200)
    package var initialTimeout = Duration.seconds(1)
    /// The least time that a timer is set after it is due (Linux: TCP_TIMEOUT_MIN_US).
    package var timerSlack = Duration.milliseconds(2)
    package var maximumTimeout = Duration.seconds(120)
    /// How long a receiver may delay an acknowledgement (Linux: TCP_DELACK_MIN).
    package var delayedAcknowledgement = Duration.milliseconds(40)
    /// Segments that are acknowledged at once at the start of a stream.
    ///
    /// They are the 16 quick acks of Linux, and those with which its first window grows.
    package var quickAcknowledgements = 22
    /// SYN retries a second apart before they back off (tcp(7): tcp_syn_linear_timeouts), and all of them.
    package var linearHandshakeRetries = 4
    package var handshakeRetries = 10
    /// How long a resolver waits for an answer, and how often it asks (resolv.conf(5)).
    package var lookupTimeout = Duration.seconds(5)
    package var lookupAttempts = 2
    /// The most names that need no further lookup; clients choose the names, so their number needs a bound.
    package var mostResolvedNames = 65_536
    /// Whether a full queue drops packets; false for the perfect sender of ``IdealTransfer``.
    package var losesAtFullQueue = true

    package init() {}

    /// Payload of a full packet.
    package func segmentBytes(mtu: Int) -> Int { max(1, mtu - headerBytes) }
}
