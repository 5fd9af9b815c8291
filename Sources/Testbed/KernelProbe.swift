import Netlink

/// Tries parts of the kernel in an otherwise empty network, on its loopback interface.
struct KernelProbe: ~Copyable {
    private let socket: RouteSocket
    /// Every network has it, always with index 1.
    private let loopback = NetworkInterface(index: 1, name: "lo")

    init(_ socket: consuming RouteSocket) { self.socket = socket }

    /// Makes a part and removes it again; throws if the kernel does not have it.
    func attempt(_ kind: KernelPart.Kind) throws(NetlinkError) {
        switch kind {
        case .netem: try queue(.netem(Netem(limit: 1)))
        case .tbf: try queue(.tokenBucket(TokenBucket(rate: Self.rate, burst: 3000, limit: 3000)))
        case .htb: try queue(.hierarchy(defaultMinor: 0))
        case .ingress: try queue(.ingress, at: .ingress)
        case .u32: try filter(.classify(TrafficHandle(1, 1)))
        case .mirred: try filter(.redirect(loopback.index))
        case .ifb: try interface("hw0") { VirtualInterface.intermediate($0) }
        case .veth: try interface("hw0") { VirtualInterface.pair($0, try InterfaceName("hw1")) }
        }
    }

    private static let rate = ByteRate(bytesPerSecond: 125_000)

    private func queue(_ discipline: QueueDiscipline, at parent: TrafficHandle = .root) throws(NetlinkError) {
        let queue = TrafficQueue(discipline, handle: Self.handle(at: parent), parent: parent)
        try socket.request(queue.message(.add, on: loopback))
        try socket.request(queue.message(.delete, on: loopback))
    }

    /// Tries a filter behind the first available discipline that applies filters.
    private func filter(_ action: TrafficFilter.Action) throws(NetlinkError) {
        let places: [(QueueDiscipline, TrafficHandle)] = [(.ingress, .ingress), (.hierarchy(defaultMinor: 0), .root)]
        var missing: NetlinkError?
        for (discipline, parent) in places {
            let handle = Self.handle(at: parent)
            let queue = TrafficQueue(discipline, handle: handle, parent: parent)
            do throws(NetlinkError) {
                try socket.request(queue.message(.add, on: loopback))
            } catch {
                missing = error
                continue
            }
            let filter = TrafficFilter(parent: handle, priority: 1, .all, matches: [.any], action)
            let result = Result { () throws(NetlinkError) in try socket.request(filter.message(.add, on: loopback)) }
            // Deleting the queue deletes its filters.
            try socket.request(queue.message(.delete, on: loopback))
            return try result.get()
        }
        if let missing { throw missing }
    }

    private func interface(
        _ name: String, _ message: (InterfaceName) throws -> RouteMessage
    ) throws(NetlinkError) {
        guard let name = try? InterfaceName(name), let message = try? message(name) else {
            preconditionFailure("these names are fit")
        }
        try socket.request(message)
        try socket.request(VirtualInterface.removal(of: socket.interface(name).interface))
    }

    private static func handle(at parent: TrafficHandle) -> TrafficHandle {
        parent == .ingress ? TrafficHandle(0xffff) : TrafficHandle(1)
    }
}
