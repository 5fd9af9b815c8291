import CLinux
import Glibc
import Netlink
import SandboxMessages
import SystemPackage

/// The running sandbox: one loop on one thread, which ends when the harness closes its end of the control socket.
struct SandboxServer: ~Copyable {
    private var channel: SandboxChannel
    private let network: Network
    private let configuration: SandboxRequest.Configure
    private var resolver: Resolver
    private var programs: [Int32: Program] = [:]

    init(_ channel: consuming SandboxChannel, network: Network, configuration: SandboxRequest.Configure) {
        self.channel = channel
        self.network = network
        self.configuration = configuration
        resolver = Resolver(network.resolver, configuration)
    }

    /// Serves until the harness closes the socket.
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
                    try send(nil, \.ended, program.end())
                } else {
                    resolver.serve(event.fd)
                }
            }
            resolver.expire()
        }
    }

    /// Serves the requests that have arrived; false if the harness has closed the socket.
    private mutating func serveRequests() throws -> Bool {
        repeat {
            guard let line = try channel.nextLine() else { return false }
            let request = try SandboxLine.decode(SandboxRequest.self, from: line)
            let descriptors = try channel.takeDescriptors(request.descriptors)
            defer { for descriptor in descriptors { try? descriptor.close() } }
            do {
                try serve(request, descriptors)
            } catch let failure as SandboxReply.Failure {
                try send(request.id, \.failure, failure)
            }
        } while channel.hasLine
        return true
    }

    private mutating func serve(_ request: SandboxRequest, _ descriptors: [FileDescriptor]) throws {
        if let socket = request.socket {
            try makeSocket(socket, for: request.id)
        } else if let spawn = request.spawn, let namespace = network.namespaces[spawn.namespace] {
            guard spawn.numbers.count == descriptors.count, spawn.numbers.allSatisfy({ (0..<Int32.max).contains($0) })
            else {
                throw SandboxReply.Failure(.numbers, .invalidArgument)
            }
            let program = try Program(spawn, spawn: request.id, descriptors: descriptors, in: namespace)
            programs[program.descriptor.rawValue] = program
            try send(
                request.id, \.spawned, .init(process: program.processID), descriptors: [program.descriptor])
        } else if let attach = request.attach {
            try self.attach(attach, for: request.id)
        } else if let admit = request.admit {
            try network.inside(.host) { () throws(SandboxReply.Failure) in
                try TCPIntercept.admit(admit, by: RouteSocket.open())
            }
            try send(request.id, \.done, .init())
        } else if let route = request.route {
            try openRoute(route, for: request.id)
        } else {
            throw SandboxReply.Failure(.protocolVersion, .notSupported)
        }
    }

    /// Makes the routes outside, and answers with the descriptor of the intercept, if there is one.
    private func attach(_ request: SandboxRequest.Attach, for id: Int) throws {
        let intercept = try network.inside(.host) { () throws(SandboxReply.Failure) -> FileDescriptor? in
            let routes = try OutsideRoutes(request.interface, configuration)
            try routes.make(request)
            return routes.intercept(request)?.descriptor
        }
        defer { try? intercept?.close() }
        try send(id, \.done, .init(), descriptors: intercept.map { [$0] } ?? [])
    }

    private func makeSocket(_ request: SandboxRequest.Socket, for id: Int) throws {
        let isIPv6 = request.family == 6
        let loopback: [UInt8] = isIPv6 ? [UInt8](repeating: 0, count: 15) + [1] : [127, 0, 0, 1]
        let address = request.isLoopback == true ? loopback : request.address
        guard address.map({ $0.count == loopback.count }) ?? true else {
            throw SandboxReply.Failure(.bind, .invalidArgument)
        }
        let (socket, port) = try network.inside(request.namespace) {
            () throws(SandboxReply.Failure) -> (FileDescriptor, UInt16?) in
            let socket = try InternetSocket.open(isIPv6: isIPv6, isStream: request.isStream)
            do throws(SandboxReply.Failure) {
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
        try send(id, \.socket, .init(port: port), descriptors: [socket])
    }

    private func openRoute(_ request: SandboxRequest.Route, for id: Int) throws {
        let socket = try network.inside(request.namespace) { () throws(SandboxReply.Failure) -> FileDescriptor in
            // `socket` closes its descriptor here. The duplicate stays in its network, whichever process receives it.
            let socket = try RouteSocket.open()
            return try SandboxStage.netlink.attempt { try socket.descriptor.duplicate() }
        }
        defer { try? socket.close() }
        try send(id, \.socket, .init(port: nil), descriptors: [socket])
    }

    private func send<Part>(
        _ id: Int?, _ part: WritableKeyPath<SandboxReply, Part?>, _ value: Part, descriptors: [FileDescriptor] = []
    ) throws {
        try SandboxReply.send(id, part, value, descriptors: descriptors, to: channel.socket)
    }
}
