import CLinux
import Glibc
package import SandboxMessages
package import SystemPackage

/// Isolated namespaces for programs: client – router – host.
///
/// The link between client and host is the program that reads and writes the two TUNs, or the queues of the router.
/// Valid inside the closure that receives it.
package final class Sandbox: Sendable {
    /// How the networks are connected to the link.
    package let link: SandboxLinkKind
    /// The descriptor of ``clientTUN``, or of ``clientTap``.
    private let clientEnd: FileDescriptor
    private let hostEnd: FileDescriptor
    /// A directory for temporary files, which ends with the sandbox.
    package let scratch: SandboxDirectory
    /// A file system of the configured size, which can fill; `nil` if none was configured.
    package let storage: SandboxDirectory?
    /// The features that the sandbox lacks on this machine.
    package let notes: [SandboxNote]

    /// The shortage of resources while this process relayed connections of the sandbox.
    package let shortage = SandboxShortage()

    let connection: SandboxConnection

    init(_ connection: SandboxConnection, _ answer: SandboxConnection.Answer, link: SandboxLinkKind)
        throws(SandboxError)
    {
        let descriptors = answer.descriptors
        guard let ready = answer.reply.ready, descriptors.count == (ready.storage == nil ? 3 : 4) else {
            for descriptor in descriptors { try? descriptor.close() }
            throw .misunderstood("A sandbox's first answer does not say that it is ready.")
        }
        self.connection = connection
        self.link = link
        (clientEnd, hostEnd) = (descriptors[0], descriptors[1])
        scratch = SandboxDirectory(inside: FilePath(ready.scratch), descriptor: descriptors[2])
        storage = ready.storage.map { SandboxDirectory(inside: FilePath($0), descriptor: descriptors[3]) }
        notes = ready.notes
    }

    /// Packets from and to the client: one for each read or write, without any header.
    ///
    /// Non-blocking, and closed at the end of the scope. Only in a sandbox without a router; traps in others.
    package var clientTUN: FileDescriptor { end(clientEnd, of: .packets) }
    /// Packets from and to the host, as with ``clientTUN``.
    package var hostTUN: FileDescriptor { end(hostEnd, of: .packets) }
    /// A socket of packet(7) that sees the client's packets as they leave the router for the host.
    ///
    /// Closed at the end of the scope. Only in a sandbox with a router; traps in others.
    package var clientTap: FileDescriptor { end(clientEnd, of: .router) }
    /// A socket that sees the host's packets as they leave the router for the client, as with ``clientTap``.
    package var hostTap: FileDescriptor { end(hostEnd, of: .router) }

    private func end(_ descriptor: FileDescriptor, of kind: SandboxLinkKind) -> FileDescriptor {
        precondition(link == kind, "this sandbox's networks are joined by \(link.rawValue)")
        return descriptor
    }

    func close() {
        for descriptor in [clientEnd, hostEnd, scratch.descriptor] { try? descriptor.close() }
        try? storage?.descriptor.close()
    }

    /// A TCP socket that listens on a port of all addresses of its family, in one of the sandbox's networks.
    ///
    /// Port 0 (the default) selects a free port. With `isLoopback` it listens on that family's loopback address alone.
    package func listen(
        on namespace: SandboxNamespace, port: UInt16 = 0, family: SandboxFamily = .ipv4, backlog: Int32 = 512,
        isLoopback: Bool = false
    ) async throws(SandboxError) -> SandboxSocket {
        try await socket(
            \.socket,
            .init(
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
            \.socket,
            .init(namespace: namespace, family: family.rawValue, isStream: kind == .tcp, port: port, backlog: nil),
            attempted: "open a socket in the \(namespace.rawValue)'s network")
    }

    /// A socket that configures one of the sandbox's networks, whichever process uses it; see rtnetlink(7).
    ///
    /// This process has the right to, as it made the sandbox; programs in the sandbox have not.
    package func routeSocket(on namespace: SandboxNamespace) async throws(SandboxError) -> FileDescriptor {
        try await socket(
            \.route, .init(namespace: namespace), attempted: "configure the \(namespace.rawValue)'s network"
        ).descriptor
    }

    /// Starts a program.
    ///
    /// Throws `SandboxError.notStarted` if that fails, such as with `ENOENT`.
    package func spawn(_ command: SandboxCommand) async throws(SandboxError) -> SandboxProcess {
        try command.check()
        let answer = try await connection.request(
            \.spawn,
            .init(
                namespace: command.namespace, arguments: command.arguments,
                environment: command.environment.map { "\($0)=\($1)" }.sorted(),
                directory: command.directory?.string, numbers: command.descriptors.map(\.number),
                terminal: command.terminal, blocksSignals: command.blocksSignals ? true : nil),
            descriptors: command.descriptors.map(\.descriptor))
        if let failure = answer.reply.failure {
            throw .notStarted(
                command: command.arguments.first ?? "", SandboxStage(rawValue: failure.stage) ?? .execute, failure.error
            )
        }
        guard let process = answer.process else { throw answer.misunderstood }
        return process
    }

    /// The socket that a request is answered with.
    func socket<Part>(
        _ part: WritableKeyPath<SandboxRequest, Part?>, _ value: Part, attempted: String
    ) async throws(SandboxError) -> SandboxSocket {
        let answer = try await connection.request(part, value)
        if let failure = answer.reply.failure { throw .failed(attempted: attempted, failure.error) }
        guard let socket = answer.reply.socket, let descriptor = answer.descriptors.first else {
            throw answer.misunderstood
        }
        return SandboxSocket(descriptor: descriptor, port: socket.port)
    }
}

/// A directory of a sandbox, in its own memory file system.
package struct SandboxDirectory: Sendable {
    /// Its path for programs in the sandbox.
    package let inside: FilePath
    /// A descriptor of the directory, to reach it from outside.
    ///
    /// It and the directory stay valid until the scope of the sandbox ends, even if the sandbox has died.
    package let descriptor: FileDescriptor

    /// Its path for this process: through `descriptor`, as it is not mounted outside.
    package var outside: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

    /// Opens a file of a program in the sandbox, at a path in this directory, for reading.
    ///
    /// It never follows a link of the program to a place outside the directory. Throws the error of openat2(2).
    package func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        let opened = unsafe path.withPlatformString { unsafe headwind_open_beneath(descriptor.rawValue, $0) }
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: opened)
    }

    /// Takes all room that is left on the file system, with a file that no program in the sandbox sees.
    ///
    /// Returns the file: it keeps the room until it is closed. Throws the error of open(2) or fallocate(2).
    package func fill() throws(Errno) -> FileDescriptor {
        let opened = headwind_fill(descriptor.rawValue)
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: opened)
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
