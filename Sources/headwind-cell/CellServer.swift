import CLinux
import CellMessages
import Glibc
import Netlink
import SystemPackage

/// The cell at work: one thread, one loop, which ends when the harness closes its end of the control socket.
struct CellServer: ~Copyable {
    private var channel: CellChannel
    private let network: Network
    private let configuration: CellRequest.Configure
    private var resolver: Resolver
    private var programs: [Int32: Program] = [:]

    init(_ channel: consuming CellChannel, network: Network, configuration: CellRequest.Configure) {
        self.channel = channel
        self.network = network
        self.configuration = configuration
        resolver = Resolver(
            network.resolver, names: configuration.names, hasIPv6: configuration.hasIPv6Names)
    }

    /// Serves until the harness has gone.
    mutating func run() throws {
        while true {
            let control = channel.socket.rawValue
            let watched = [control] + resolver.descriptors + programs.keys
            var events = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = unsafe poll(&events, nfds_t(events.count), resolver.timeout)
            guard count >= 0 || errno == EINTR else { throw Errno(rawValue: errno) }
            for event in events where event.revents != 0 {
                if event.fd == control {
                    guard try serveRequests() else { return }
                } else if let program = programs.removeValue(forKey: event.fd) {
                    try send(CellReply(id: nil, ended: program.end()))
                } else {
                    resolver.serve(event.fd)
                }
            }
            resolver.expire()
        }
    }

    /// Serves what has come; false when the harness has gone.
    private mutating func serveRequests() throws -> Bool {
        repeat {
            guard let line = try channel.nextLine() else { return false }
            let request = try CellLine.decode(CellRequest.self, from: line)
            let descriptors = try channel.takeDescriptors(request.descriptors)
            defer { for descriptor in descriptors { try? descriptor.close() } }
            do {
                try serve(request, descriptors)
            } catch let failure as CellReply.Failure {
                try send(CellReply(id: request.id, failure: failure))
            }
        } while channel.hasLine
        return true
    }

    private mutating func serve(_ request: CellRequest, _ descriptors: [FileDescriptor]) throws {
        if let socket = request.socket {
            try makeSocket(socket, for: request.id)
        } else if let spawn = request.spawn, let namespace = network.namespaces[spawn.namespace] {
            guard spawn.numbers.count == descriptors.count, spawn.numbers.allSatisfy({ (0..<Int32.max).contains($0) })
            else {
                throw CellReply.Failure(.numbers, .invalidArgument)
            }
            let program = try Program(spawn, spawn: request.id, descriptors: descriptors, in: namespace)
            programs[program.descriptor.rawValue] = program
            let reply = CellReply(id: request.id, descriptors: 1, spawned: .init(process: program.processID))
            try send(reply, descriptors: [program.descriptor])
        } else if let attach = request.attach {
            try self.attach(attach, for: request.id)
        } else if let admit = request.admit {
            try network.inside(.host) { () throws(CellReply.Failure) in
                try TransportTrap.admit(admit, by: RouteSocket.open())
            }
            try send(CellReply(id: request.id, done: .init()))
        } else if let route = request.route {
            try openRoute(route, for: request.id)
        } else {
            throw CellReply.Failure(.protocolVersion, .notSupported)
        }
    }

    /// Answers with the trap, if there is one.
    private func attach(_ request: CellRequest.Attach, for id: Int) throws {
        let trap = try network.inside(.host) { () throws(CellReply.Failure) -> FileDescriptor? in
            let routes = try OutsideRoutes(request.interface, configuration)
            try routes.make(request)
            return routes.trap(request)?.descriptor
        }
        defer { try? trap?.close() }
        let descriptors = trap.map { [$0] } ?? []
        try send(CellReply(id: id, descriptors: descriptors.count, done: .init()), descriptors: descriptors)
    }

    private func makeSocket(_ request: CellRequest.Socket, for id: Int) throws {
        let isIPv6 = request.family == 6
        let loopback: [UInt8] = isIPv6 ? [UInt8](repeating: 0, count: 15) + [1] : [127, 0, 0, 1]
        let address = request.isLoopback == true ? loopback : request.address
        guard address.map({ $0.count == loopback.count }) ?? true else {
            throw CellReply.Failure(.bind, .invalidArgument)
        }
        let (socket, port) = try network.inside(request.namespace) {
            () throws(CellReply.Failure) -> (FileDescriptor, UInt16?) in
            let socket = try InternetSocket.open(isIPv6: isIPv6, isStream: request.isStream)
            do throws(CellReply.Failure) {
                if request.address != nil { try InternetSocket.takeAll(socket, isIPv6: isIPv6) }
                var port: UInt16?
                if let wanted = request.port {
                    port = try InternetSocket.bind(
                        socket, isIPv6: isIPv6, address: address, port: wanted)
                }
                if let backlog = request.backlog { try InternetSocket.listen(socket, backlog: backlog) }
                return (socket, port)
            } catch {
                try? socket.close()
                throw error
            }
        }
        defer { try? socket.close() }
        try send(CellReply(id: id, descriptors: 1, socket: .init(port: port)), descriptors: [socket])
    }

    private func openRoute(_ request: CellRequest.Route, for id: Int) throws {
        let socket = try network.inside(request.namespace) { () throws(CellReply.Failure) -> FileDescriptor in
            // Closed with its descriptor here; it stays in its network wherever it goes.
            let socket = try RouteSocket.open()
            do {
                return try socket.descriptor.duplicate()
            } catch {
                throw .init(.netlink, error as? Errno ?? .ioError)
            }
        }
        defer { try? socket.close() }
        try send(CellReply(id: id, descriptors: 1, socket: .init(port: nil)), descriptors: [socket])
    }

    private func send(_ reply: CellReply, descriptors: [FileDescriptor] = []) throws {
        try CellChannel.send(CellLine.encode(reply), descriptors: descriptors, to: channel.socket)
    }
}
