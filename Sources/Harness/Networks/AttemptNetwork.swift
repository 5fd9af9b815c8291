import Links
import PackHost
import ProcessGuard
import Results
import Scenarios
import SystemPackage
import Testbed

/// The network of an attempt's host and client.
enum AttemptNetwork: Sendable {
    /// This machine's loopback: the link is a proxy.
    case loopback
    /// The two networks of a sandbox: the link carries packets between them.
    case sandbox(Sandbox)

    /// The congestion control of senders in a sandbox.
    static let pinnedCongestionControl = SandboxConfiguration().congestionControl

    /// The file system of the client's files; nil if they are in a folder of the run.
    var storage: SandboxDirectory? {
        if case .sandbox(let sandbox) = self { sandbox.storage } else { nil }
    }

    /// The addresses at which the host listens.
    ///
    /// In a sandbox these are all ports, over IPv4 and IPv6 if available, except for refused addresses. A proxy
    /// connects all of them to one port of the loopback. Throws if an address needs IPv6 and there is none.
    func listeners(
        ports: [Int], _ addresses: HostAddresses
    ) async throws -> (first: HostConfiguration.Listener, others: [HostConfiguration.Listener]) {
        guard case .sandbox(let sandbox) = self else { return (.address("127.0.0.1", port: 0), []) }
        let missing = sandbox.notes.first { $0.kind == .noIPv6 }
        if let missing, addresses.ipv6 != nil { throw HarnessError.noIPv6("\(missing)") }
        var families: [SandboxFamily] = addresses.ipv4 == .refused ? [] : [.ipv4]
        if missing == nil, addresses.ipv6 != .refused { families.append(.ipv6) }
        var sockets: [FileDescriptor] = []
        do {
            for port in ports.map(UInt16.init(clamping:)) {
                for family in families {
                    sockets.append(try await sandbox.listen(on: .host, port: port, family: family).descriptor)
                }
            }
        } catch {
            for socket in sockets { try? socket.close() }
            throw error
        }
        // If all addresses are refused, the host listens where no client connects.
        guard let first = sockets.first else { return (.address("127.0.0.1", port: 0), []) }
        return (.socket(first), sockets.dropFirst().map { .socket($0) })
    }

    /// The run's folder, for a guard that outlives the harness; nil in a sandbox, where none does.
    func scratch(ofRun scratch: FilePath) -> FilePath? {
        if case .loopback = self { scratch } else { nil }
    }

    /// How the client's guard starts.
    var starter: GuardStarter {
        switch self {
        case .loopback: .here
        case .sandbox(let sandbox): GuardStarter(sandbox)
        }
    }
}

extension Sandbox {
    /// Connects an open sandbox to this machine's networks, with forwarded ports on the client's loopback, while `body`
    /// runs.
    ///
    /// Throws `HarnessError` if the networks are not available, or were lost before `body` ended.
    func withMachinesNetworks(
        by program: FilePath?, forwarding ports: [UInt16], _ body: () async throws -> Void
    ) async throws {
        guard let program else { throw HarnessError.noNetwork(OutsideProgram.missing, isLost: false) }
        do {
            try await withOutside(by: program) { companion in
                try await LoopbackForward.with(ports, of: self, body)
                if let end = companion.end { throw HarnessError.noNetwork(end.consequence, isLost: true) }
            }
        } catch let error as SandboxOutsideError {
            throw HarnessError.noNetwork(error.description, isLost: false)
        }
    }
}

extension GuardStarter {
    /// Starts guards in the client's network of a sandbox; they end with the sandbox.
    fileprivate init(_ sandbox: Sandbox) {
        self.init { request in
            var command = SandboxCommand(request.arguments, environment: request.environment)
            command.descriptors = request.descriptors
            let process = try await sandbox.spawn(command)
            return Started(
                processID: process.processIDInside, descriptor: try process.descriptor.duplicate(),
                wait: { _ = try await process.wait() })
        }
    }
}

extension SandboxError {
    /// The cause that findings with this error have.
    var attribution: Attribution {
        switch self {
        case .refused, .noProgram: .capabilityMissing
        case .configuration, .misunderstood: .harnessFailed
        case .notStarted: .clientNotStarted
        case .noResources, .failed, .late, .silent, .died: .cellDied
        }
    }
}
