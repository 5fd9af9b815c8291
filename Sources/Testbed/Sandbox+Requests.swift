package import SandboxMessages
package import SystemPackage

extension Sandbox {
    /// A socket that listens on a port of all addresses of its family in one of the sandbox's networks; 0 (the default) is a
    /// port that is free.
    ///
    /// With `isLoopback` it listens on that family's loopback address alone.
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

    /// A socket in one of the sandbox's networks; bound where it is given a port, 0 being one that is free.
    ///
    /// A TCP socket is to be connected, a UDP socket to be used as it is.
    package func socket(
        on namespace: SandboxNamespace, _ kind: SandboxSocket.Kind, port: UInt16? = nil, family: SandboxFamily = .ipv4
    ) async throws(SandboxError) -> SandboxSocket {
        try await socket(
            SandboxRequest.Socket(
                namespace: namespace, family: family.rawValue, isStream: kind == .tcp, port: port, backlog: nil),
            attempted: "open a socket in the \(namespace.rawValue)'s network")
    }

    /// A socket by which one of the sandbox's networks is configured, wherever it is used; see rtnetlink(7).
    ///
    /// This process may, as the sandbox is its own; programs in the sandbox may not.
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
    /// Throws `SandboxError.notStarted` where it cannot be, such as for `ENOENT`.
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
    /// The error for an answer to another question.
    var misunderstood: SandboxError {
        for descriptor in descriptors { try? descriptor.close() }
        return .misunderstood("A sandbox sent an answer that does not fit the request.")
    }
}

extension SandboxCommand {
    /// Throws where the kernel would see other strings than those that are meant.
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

/// A socket that is bound in a sandbox.
///
/// The descriptor is close-on-exec and non-blocking, and the caller's to close, before the scope of the sandbox ends: an open
/// socket keeps its network alive.
package struct SandboxSocket: Sendable {
    package enum Kind: Sendable {
        case tcp
        case udp
    }

    package let descriptor: FileDescriptor
    /// `nil` where it is not bound.
    package let port: UInt16?
}

/// The version of the Internet Protocol.
package enum SandboxFamily: Int, Sendable, CaseIterable {
    case ipv4 = 4
    case ipv6 = 6
}
