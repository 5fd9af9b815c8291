import Glibc
import SandboxMessages
import SystemPackage
import Testbed

/// Sandboxes for tests, made by a process that a test may start as another user, or kill.
@main
enum Trial {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            switch options.mode {
            case "probe": try await probe(options)
            case "run": try await run(options)
            case "hold": try await hold(options)
            case "loop": while true { try await hold(options, forever: false) }
            case "figures": try await Figures.measure(options)
            case "takedowns": try await Figures.takedowns(options)
            case "sequence": try await Sequence.run(options)
            default: throw Problem("unknown mode \(options.mode)")
            }
        } catch {
            say("failed: \(error)")
            exit(1)
        }
    }

    /// Prints what the machine allows: a line with its kind, and one for each sentence.
    private static func probe(_ options: Options) async throws {
        switch try await SandboxCapability.probe(options.configuration) {
        case .available(let notes):
            say("available", notes.map(\.kind.rawValue).joined(separator: " "))
            for note in notes { say(note) }
        case .refused(let refusal):
            say("refused", refusal.kind.rawValue)
            say(refusal)
        case .failed(let error):
            say("failed")
            say(error)
        }
    }

    /// Runs the command in a sandbox, and ends with its status.
    private static func run(_ options: Options) async throws {
        let status = try await withSandbox(options.configuration) { sandbox in
            let work = {
                let greeters = try await greet(sandbox, port: options.port)
                defer { for greeter in greeters { try? greeter.close() } }
                return try await sandbox.spawn(options.sandboxCommand).wait().status
            }
            return options.hasLink ? try await Link.with(sandbox, work) : try await work()
        }
        switch status {
        case .exited(let code): exit(code)
        case .signaled(let signal): exit(128 + signal)
        }
    }

    /// Greets each client at a port of the host, through sockets of both families that were made in the sandbox.
    private static func greet(_ sandbox: Sandbox, port: UInt16?) async throws -> [FileDescriptor] {
        guard let port else { return [] }
        var listeners: [FileDescriptor] = []
        for family in SandboxFamily.allCases {
            let listener = try await sandbox.listen(on: .host, port: port, family: family).descriptor
            listeners.append(listener)
            ThreadBody { answer(listener) }.start()
        }
        return listeners
    }

    /// Answers with the version of the protocol and the congestion control of its own end.
    private static func answer(_ listener: FileDescriptor) {
        var event = pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, -1) > 0, event.revents & Int16(POLLNVAL) == 0 {
            let peer = accept(listener.rawValue, nil, nil)
            guard peer >= 0 else { continue }
            var name = [UInt8](repeating: 0, count: 16)
            var length = socklen_t(name.count)
            getsockopt(peer, Int32(IPPROTO_TCP), TCP_CONGESTION, &name, &length)
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(peer, $0, &size) }
            }
            let version = address.ss_family == sa_family_t(AF_INET6) ? 6 : 4
            let greeting = "IPv\(version) \(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))\n"
            let text = "HTTP/1.0 200 OK\r\nContent-Length: \(greeting.utf8.count)\r\n\r\n\(greeting)"
            // The request is read first: a client whose connection is reset gets no greeting.
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(peer, &request, request.count, 0)
            send(peer, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            close(peer)
        }
    }

    /// Starts the command in a sandbox and in its two other networks.
    ///
    /// Unless `forever` is false, it then prints `up` and waits to be killed.
    private static func hold(_ options: Options, forever: Bool = true) async throws {
        try await withSandbox(options.configuration) { sandbox in
            var command = options.sandboxCommand
            for namespace in [SandboxNamespace.host, .router, .client] {
                command.namespace = namespace
                let process = try await sandbox.spawn(command)
                guard namespace == .client, forever else { continue }
                say("up")
                _ = try await process.wait()
            }
        }
    }
}
