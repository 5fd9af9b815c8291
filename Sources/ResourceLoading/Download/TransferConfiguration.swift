package import SystemPackage

/// How every transfer of a client reaches the host.
package struct TransferConfiguration: Sendable {
    /// Which proxy is used.
    ///
    /// The default is none; the environment's proxy variables are ignored.
    package enum Proxy: Hashable, Sendable {
        /// Directly to the host.
        case none
        /// A CONNECT tunnel through this proxy, also for http URLs, so that the proxy sees only bytes.
        case tunnel(String)
        /// The proxy that `http_proxy`, `https_proxy` and `no_proxy` name (curl(1), ENVIRONMENT).
        case environment
    }

    /// Which proxy is used; none unless set.
    package var proxy = Proxy.none
    /// A PEM file of authorities that are trusted besides the system's; nil unless set.
    package var authorities: FilePath?
    /// Header fields of every request to the manifest's and the packs' own addresses, as `Name: value`.
    ///
    /// Neither a redirect to another origin nor a proxy gets them.
    package var headers: [String] = []
    /// The longest time without a sign of life; 60 s unless set.
    ///
    /// It starts again for each phase: name lookup, connection, waiting for the head, and the body.
    package var patience = Duration.seconds(60)
    /// How many transfers run at once; 4 unless set.
    ///
    /// An urgent one starts at once and does not count.
    package var parallel = 4
    /// How many redirects one request follows; 10 unless set.
    package var redirectLimit = 10
    /// How reads of packs are spaced while none of them is urgent.
    package var coalescer = ReceiveCoalescer()

    package init() {}
}
