import Glibc
import SandboxMessages
import SystemPackage

/// The running resolver, as part of the sandbox's one loop.
struct Resolver {
    /// The most connections at once; a further one replaces the one that has been silent for longest.
    private static let mostConnections = 32
    private static let patience: Duration = .seconds(10)

    private let sockets: ResolverSockets
    private let table: NameTable
    private var connections: [Int32: ResolverConnection] = [:]

    init(_ sockets: ResolverSockets, _ configuration: SandboxRequest.Configure) {
        self.sockets = sockets
        let ipv4 = Network.address(configuration.ipv4Names, host: Network.hostIPv4, silent: Network.silentIPv4)
        let addresses = IPv6Addresses(configuration)
        let ipv6 = Network.address(configuration.ipv6Names, host: addresses.host, silent: addresses.silent)
        table = NameTable(names: configuration.names, ipv4: ipv4, ipv6: sockets.hasIPv6 ? ipv6 : nil)
    }

    /// The descriptors to watch for reading.
    var descriptors: [Int32] {
        (sockets.datagrams + sockets.listeners).map(\.rawValue) + connections.keys
    }

    /// The longest time until `expire` must be called, in milliseconds; −1 for never.
    var timeout: Int32 { connections.isEmpty ? -1 : 1000 }

    /// Serves a descriptor that is readable.
    mutating func serve(_ descriptor: Int32) {
        if sockets.datagrams.contains(where: { $0.rawValue == descriptor }) {
            answerDatagram(descriptor)
        } else if sockets.listeners.contains(where: { $0.rawValue == descriptor }) {
            accept(descriptor)
        } else if var connection = connections[descriptor] {
            let stays = connection.serve(table, at: .now)
            connections[descriptor] = connection
            if !stays { close(descriptor) }
        }
    }

    /// Closes connections that have been silent for more than 10 s.
    mutating func expire() {
        let now = ContinuousClock.now
        for (descriptor, connection) in connections where now - connection.heard > Self.patience {
            close(descriptor)
        }
    }

    private func answerDatagram(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: ResolverConnection.longestMessage)
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &peer) { bytes in
            guard let base = bytes.baseAddress else { return }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            let count = unsafe recvfrom(descriptor, &buffer, buffer.count, 0, address, &length)
            guard count > 0, let answer = table.answer(to: buffer[..<count]) else { return }
            _ = unsafe sendto(descriptor, answer, answer.count, 0, address, length)
        }
    }

    private mutating func accept(_ listener: Int32) {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        // Not atomic with accept, but no other thread can start a program in between.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        if connections.count >= Self.mostConnections,
            let oldest = connections.min(by: { $0.value.heard < $1.value.heard })
        {
            close(oldest.key)
        }
        connections[descriptor] = ResolverConnection(FileDescriptor(rawValue: descriptor), at: .now)
    }

    private mutating func close(_ descriptor: Int32) {
        try? connections.removeValue(forKey: descriptor)?.descriptor.close()
    }
}

/// The sockets that the resolver listens on: port 53 of the host's addresses, by UDP and TCP.
struct ResolverSockets {
    private(set) var datagrams: [FileDescriptor] = []
    private(set) var listeners: [FileDescriptor] = []
    let hasIPv6: Bool

    /// Opens the sockets in the current network namespace.
    init(ipv6: [UInt8]?) throws(SandboxReply.Failure) {
        hasIPv6 = ipv6 != nil
        for address in [Network.hostIPv4] + (ipv6.map { [$0] } ?? []) {
            let isIPv6 = address.count == 16
            do {
                let datagram = try InternetSocket.open(isIPv6: isIPv6, isStream: false)
                try InternetSocket.bind(datagram, isIPv6: isIPv6, address: address, port: 53)
                let listener = try InternetSocket.open(isIPv6: isIPv6, isStream: true)
                try InternetSocket.bind(listener, isIPv6: isIPv6, address: address, port: 53)
                try InternetSocket.listen(listener, backlog: 64)
                datagrams.append(datagram)
                listeners.append(listener)
            } catch {
                throw .init(.resolver, error.error, detail: isIPv6 ? "IPv6" : "IPv4")
            }
        }
    }
}
