package import LinkModel

/// The control API of a link: where it listens, and who may use it.
package struct ControlConfiguration: Sendable {
    package var listen: Endpoint
    /// What a client that is not on loopback has to send; nil: such clients are turned away.
    package var token: String?
    /// Reads the body of a client's request; what is thrown goes to that client.
    package var read: @Sendable ([UInt8]) throws -> LinkRequest
    /// How long a client may take for a request, and idle before it.
    package var patience: Duration

    package init(
        listen: Endpoint, token: String? = nil, patience: Duration = .seconds(30),
        read: @escaping @Sendable ([UInt8]) throws -> LinkRequest
    ) {
        self.listen = listen
        self.token = token
        self.patience = patience
        self.read = read
    }

    /// Whether clients that are not on loopback can connect to a listener at `endpoint`.
    package static func isBeyondLoopback(_ endpoint: Endpoint) -> Bool {
        NetworkAddress(host: endpoint.host).map { !$0.isLoopback || $0.isWildcard } ?? true
    }
}
