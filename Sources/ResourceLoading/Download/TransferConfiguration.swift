package import SystemPackage

/// How every transfer of a client reaches the host.
package struct TransferConfiguration: Sendable {
    /// Which proxy is used.
    ///
    /// The default is none; the environment's proxy variables do not count.
    package enum Proxy: Hashable, Sendable {
        /// Straight to the host.
        case none
        /// A CONNECT tunnel through this proxy, for http URLs too, so that the proxy sees nothing but bytes.
        case tunnel(String)
        /// Whatever `http_proxy`, `https_proxy` and `no_proxy` say (curl(1), ENVIRONMENT).
        case environment
    }

    /// Which proxy is used; none unless set.
    package var proxy = Proxy.none
    /// A PEM file of authorities that are trusted besides the system's; nil unless set.
    package var authorities: FilePath?
    /// Header fields that every request to the manifest's and the packs' own addresses carries, as `Name: value`.
    ///
    /// A redirect to another origin does not get them, a proxy neither.
    package var headers: [String] = []
    /// The longest time without a sign of life; 60 s unless set.
    ///
    /// It counts anew for each phase: while a name is looked up, a connection is made, a head or a body is awaited.
    package var patience = Duration.seconds(60)
    /// How many transfers run at once; 4 unless set.
    ///
    /// An urgent one starts at once and does not count.
    package var parallel = 4
    /// How many redirects one request follows; 10 unless set.
    package var redirectLimit = 10
    /// How packs are read while none of them is urgent.
    package var coalescer = ReceiveCoalescer()

    package init() {}
}
