import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// `headwind-sandbox`: configures the namespaces of a sandbox, passes their descriptors out, and starts programs there.
///
/// headwind-init starts it, with the control socket as descriptor 3. It ends when the socket closes. See
/// docs/explanation/sandboxes.md.
@main
enum HeadwindSandbox {
    private static let statusFailed: Int32 = 125

    static func main() {
        let socket = FileDescriptor(rawValue: HEADWIND_SANDBOX_CONTROL)
        guard fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
            complain("the program inside a sandbox, started by headwind itself")
            exit(statusFailed)
        }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do {
            try serve(socket)
        } catch Errno.brokenPipe, Errno.connectionReset {
            // The harness has gone, so there is no reader any more.
        } catch {
            complain("\(error)")
            exit(statusFailed)
        }
    }

    private static func serve(_ socket: FileDescriptor) throws {
        var channel = SandboxChannel(socket)
        guard let line = try channel.nextLine() else { return }
        do {
            let request = try SandboxLine.decode(SandboxRequest.self, from: line)
            guard let configuration = request.configure else {
                throw SandboxReply.Failure(.protocolVersion, .notSupported)
            }
            let network = try bringUp(configuration, answer: request.id, to: socket)
            var server = SandboxServer(channel, network: network, configuration: configuration)
            try server.run()
        } catch let failure as SandboxReply.Failure {
            try fail(failure, to: socket)
        } catch let error as SandboxLineError {
            try fail(SandboxReply.Failure(.protocolVersion, .notSupported, detail: error.description), to: socket)
        }
    }

    private static func fail(_ failure: SandboxReply.Failure, to socket: FileDescriptor) throws -> Never {
        try SandboxReply.send(0, \.failure, failure, to: socket)
        exit(statusFailed)
    }

    /// Makes everything that the harness requested, and passes its descriptors in one answer.
    private static func bringUp(
        _ configuration: SandboxRequest.Configure, answer id: Int, to socket: FileDescriptor
    ) throws -> Network {
        guard headwind_is_network_administrator() else { throw SandboxReply.Failure(.privileges, .notPermitted) }
        var notes: [SandboxNote] = []
        let mounts = try Mounts(configuration, notes: &notes)
        let network = try Network(configuration, notes: &notes)
        let directories = try ([mounts.scratch] + (mounts.storage.map { [$0] } ?? [])).map(Mounts.open)
        let descriptors = network.ends + directories
        let ready = SandboxReply.Ready(
            scratch: mounts.scratch.string, storage: mounts.storage?.string, notes: notes)
        try SandboxReply.send(id, \.ready, ready, descriptors: descriptors, to: socket)
        // The harness has its own copies now; the interfaces disappear when it closes them.
        for descriptor in descriptors { try? descriptor.close() }
        return network
    }

    private static func complain(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll("headwind-sandbox: \(text)\n".utf8)
    }
}

extension SandboxReply {
    /// Sends a reply with this part; an event if `id` is nil.
    static func send<Part>(
        _ id: Int?, _ part: WritableKeyPath<SandboxReply, Part?>, _ value: Part, descriptors: [FileDescriptor] = [],
        to socket: FileDescriptor
    ) throws {
        let reply = SandboxReply(id: id, descriptors: descriptors.count, part, value)
        try SandboxChannel.send(SandboxLine.encode(reply), descriptors: descriptors, to: socket)
    }
}

extension SandboxStage {
    /// What `body` returns; an error of the system becomes a failure at this stage.
    func attempt<Value: ~Copyable>(
        _ detail: String? = nil, _ body: () throws -> Value
    ) throws(SandboxReply.Failure) -> Value {
        do { return try body() } catch {
            throw .init(self, (error as? NetlinkError)?.code ?? error as? Errno ?? .ioError, detail: detail)
        }
    }
}
