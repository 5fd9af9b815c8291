package import SandboxMessages
package import SystemPackage

extension Sandbox {
    /// A TCP socket that listens on a port of all addresses of its family, in one of the sandbox's networks.
    ///
    /// Port 0 (the default) selects a free port. With `isLoopback` it listens on that family's loopback address alone.
    package func listen(
        on namespace: SandboxNamespace, port: UInt16 = 0, family: SandboxFamily = .ipv4, backlog: Int32 = 512,
        isLoopback: Bool = false
    ) async throws(SandboxError) -> SandboxSocket {
        try await socket(
            SandboxRequest.Socket(
                namespace: namespace, family: family.rawValue, isStream: true, port: port, backlog: backlog,
                isLoopback: isLoopback ? true : nil),
            attempted: "listen on port \(port) in the \(namespace.rawValue)'s network")
    }

    /// A socket in one of the sandbox's networks, bound if `port` is not nil (default: nil); 0 selects a free port.
    ///
    /// Connect a TCP socket before you use it; a UDP socket is ready.
    package func socket(
        on namespace: SandboxNamespace, _ kind: SandboxSocket.Kind, port: UInt16? = nil, family: SandboxFamily = .ipv4
    ) async throws(SandboxError) -> SandboxSocket {
        try await socket(
            SandboxRequest.Socket(
                namespace: namespace, family: family.rawValue, isStream: kind == .tcp, port: port, backlog: nil),
            attempted: "open a socket in the \(namespace.rawValue)'s network")
    }

    /// A socket that configures one of the sandbox's networks, whichever process uses it; see rtnetlink(7).
    ///
    /// This process has the right to, as it made the sandbox; programs in the sandbox have not.
    package func routeSocket(on namespace: SandboxNamespace) async throws(SandboxError) -> FileDescriptor {
        let answer = try await connection.request { SandboxRequest(id: $0, route: .init(namespace: namespace)) }
        if let failure = answer.reply.failure {
            throw .failed(attempted: "configure the \(namespace.rawValue)'s network", failure.error)
        }
        guard answer.reply.socket != nil, let descriptor = answer.descriptors.first else { throw answer.misunderstood }
        return descriptor
    }

    /// Starts a program.
    ///
    /// Throws `SandboxError.notStarted` if that fails, such as with `ENOENT`.
    package func spawn(_ command: SandboxCommand) async throws(SandboxError) -> SandboxProcess {
        try command.check()
        let descriptors = command.descriptors.map(\.descriptor)
        let answer = try await connection.request(descriptors: descriptors) { identifier in
            SandboxRequest(
                id: identifier,
                spawn: SandboxRequest.Spawn(
                    namespace: command.namespace, arguments: command.arguments,
                    environment: command.environment.map { "\($0)=\($1)" }.sorted(),
                    directory: command.directory?.string, numbers: command.descriptors.map(\.number),
                    terminal: command.terminal, blocksSignals: command.blocksSignals ? true : nil))
        }
        if let failure = answer.reply.failure {
            throw .notStarted(
                command: command.arguments.first ?? "", SandboxStage(rawValue: failure.stage) ?? .execute, failure.error
            )
        }
        guard let process = answer.process else { throw answer.misunderstood }
        return process
    }

    func socket(_ request: SandboxRequest.Socket, attempted: String) async throws(SandboxError) -> SandboxSocket {
        let answer = try await connection.request { SandboxRequest(id: $0, socket: request) }
        if let failure = answer.reply.failure { throw .failed(attempted: attempted, failure.error) }
        guard let socket = answer.reply.socket, let descriptor = answer.descriptors.first else {
            throw answer.misunderstood
        }
        return SandboxSocket(descriptor: descriptor, port: socket.port)
    }
}

extension SandboxConnection.Answer {
    /// The error for an answer that does not fit the request; closes its descriptors.
    var misunderstood: SandboxError {
        for descriptor in descriptors { try? descriptor.close() }
        return .misunderstood("A sandbox sent an answer that does not fit the request.")
    }
}

extension SandboxCommand {
    /// Throws if the kernel would see other strings than the caller means, or if there are too many descriptors.
    fileprivate func check() throws(SandboxError) {
        let names = environment.keys
        let texts = arguments + names + environment.values
        let isSound =
            !arguments.isEmpty && !texts.contains { $0.utf8.contains(0) }
            && !names.contains { $0.isEmpty || $0.contains("=") }
        guard isSound, descriptors.count <= SandboxProtocol.mostDescriptors else {
            throw .configuration(
                "a command must have a name, no zero byte in a string, no '=' in a variable's name, and at most "
                    + "\(SandboxProtocol.mostDescriptors) descriptors")
        }
    }
}

/// A socket in a network of a sandbox.
///
/// Its descriptor is close-on-exec and non-blocking. The caller closes it before the scope of the sandbox ends: an open
/// socket keeps its network alive.
package struct SandboxSocket: Sendable {
    package enum Kind: Sendable {
        case tcp
        case udp
    }

    package let descriptor: FileDescriptor
    /// `nil` if the socket is not bound.
    package let port: UInt16?
}

/// The version of the Internet Protocol.
package enum SandboxFamily: Int, Sendable, CaseIterable {
    case ipv4 = 4
    case ipv6 = 6
}
