import PackHost
import ProcessGuard
import SystemPackage
import Testbed

/// Where an attempt's host and client are.
enum AttemptGround: Sendable {
    /// This machine's loopback: the link is a proxy.
    case loopback
    /// The two networks of a cell: the link is what moves packets between them.
    case cell(Cell)

    /// What the senders of a cell have.
    static let pinnedCongestionControl = CellConfiguration().congestionControl

    /// The file system that the client's files are on; nil where they are in a folder of the run's.
    var storage: CellDirectory? {
        if case .cell(let cell) = self { cell.storage } else { nil }
    }

    /// Where the host listens: in a cell on all those ports, by IPv4 and, where there is one, IPv6.
    ///
    /// A proxy leads all of them to one port of the loopback.
    func listeners(
        ports: [Int]
    ) async throws -> (first: HostConfiguration.Listener, others: [HostConfiguration.Listener]) {
        guard case .cell(let cell) = self else { return (.address("127.0.0.1", port: 0), []) }
        let hasIPv6 = !cell.notes.contains { $0.kind == .noIPv6 }
        var sockets: [FileDescriptor] = []
        do {
            for port in ports.map(UInt16.init(clamping:)) {
                sockets.append(try await cell.listen(on: .host, port: port).descriptor)
                if hasIPv6 { sockets.append(try await cell.listen(on: .host, port: port, family: .ipv6).descriptor) }
            }
        } catch {
            for socket in sockets { try? socket.close() }
            throw error
        }
        return (.socket(sockets[0]), sockets.dropFirst().map { .socket($0) })
    }

    /// The run's folder, for a guard that outlives the harness; in a cell none does.
    func scratch(_ context: CellContext) -> FilePath? {
        if case .loopback = self { context.runScratch } else { nil }
    }

    /// How the client's guard is started.
    var starter: GuardStarter {
        switch self {
        case .loopback: .here
        case .cell(let cell): GuardStarter(cell)
        }
    }
}

extension GuardStarter {
    /// Starts guards in the client's network of a cell, with which they end.
    fileprivate init(_ cell: Cell) {
        self.init { request in
            let variables = request.environment.compactMap { line -> (String, String)? in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            }
            var command = CellCommand(request.arguments, environment: Dictionary(variables) { $1 })
            command.descriptors = request.descriptors.map { .init($0.descriptor, as: $0.number) }
            let process = try await cell.spawn(command)
            return Started(
                processID: process.processIDInside, descriptor: try process.descriptor.duplicate(),
                wait: { _ = try await process.wait() })
        }
    }
}
