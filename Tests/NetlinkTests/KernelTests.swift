import CTestbed
import Glibc
import Netlink
import SystemPackage
import Testing

/// The effect of the messages on a real kernel; iproute2 confirms it.
@Suite(.serialized, .needsRoot) struct KernelTests {
    private let names = (router: "router0", client: "client0")

    /// Runs `body` with one end of a pair that is up.
    private func withRouter(_ body: (TestSocket, NetworkInterface) throws -> Void) throws {
        try withNetwork { socket in
            try socket.request(VirtualInterface.pair(InterfaceName(names.router), InterfaceName(names.client)))
            let router = try socket.interface(names.router).interface
            let client = try socket.interface(names.client).interface
            for end in [router, client] { try socket.bringUp(end) }
            try body(socket, router)
        }
    }

    @Test func interfacesComeAndGo() throws {
        try withNetwork { socket in
            #expect(try socket.interfaces().map(\.interface.name) == ["lo"])
            try socket.withPair(names.router, names.client) { router in
                let state = try socket.interface(names.router)
                #expect(state.interface == router && state.kind == "veth" && state.isEthernet && !state.isUp)
                // The interface has at most one segment a packet from the start.
                #expect(state.mostSegments == 1 && state.mtu == 1500)
                let change = InterfaceChange(isUp: true, mtu: 1400, queueLength: 77, mostSegments: 2)
                try socket.request(change.message(for: router.index))
                let changed = try socket.interface(names.router)
                #expect(changed.isUp && changed.mtu == 1400 && changed.queueLength == 77 && changed.mostSegments == 2)
                let link = try output("ip -j -d link show \(names.router)")
                #expect(link.contains("\"info_kind\":\"veth\"") && link.contains("\"gso_max_segs\":2"))
                #expect(link.contains("\"link\":\"\(names.client)\"") && link.contains("\"mtu\":1400"))
            }
            try socket.withIntermediate("ifb0") { _ in
                let kind = try socket.interface("ifb0").kind
                #expect(kind == "ifb")
            }
            #expect(try socket.interfaces().map(\.interface.name) == ["lo"])
        }
    }

    /// One end of a pair is in another network from the first moment.
    @Test func aPairReachesIntoAnotherNetwork() throws {
        let name = try InterfaceName(names.client)
        let router = try InterfaceName(names.router)
        try withNetwork { outer in
            try withNetwork { inner in
                let namespace = try FileDescriptor.open("/proc/thread-self/ns/net", .readOnly, options: .closeOnExec)
                defer { try? namespace.close() }
                // A socket stays in the network in which it was opened.
                try outer.request(VirtualInterface.pair(router, name, peerNamespace: namespace))
                #expect(try inner.interfaces().map(\.interface.name).sorted() == [names.client, "lo"])
                #expect(try outer.interfaces().map(\.interface.name).sorted() == ["lo", names.router])
            }
        }
    }

    /// The parts of a sandbox: addresses that work at once, routes with the senders' settings, neighbours, rules.
    @Test func networksAreAsTheyWereSet() throws {
        try withRouter { socket, router in
            for (family, bytes) in [
                (InternetFamily.v4, [10, 1, 0, 1]), (.v6, [0xfd] + [UInt8](repeating: 0, count: 15)),
            ] {
                var address = InterfaceAddress(family, bytes, prefixLength: 24)
                (address.looksForDoubles, address.hasPrefixRoute) = (false, false)
                try socket.request(address.addition(to: router.index))
                var route = Route(family)
                route.interface = router.index
                route.metrics = Route.Metrics(congestionControl: "cubic", initialWindow: 7)
                try socket.request(route.addition)
                try socket.request(route.replacement)
                let seen = try output("ip \(family == .v4 ? "-4" : "-6") route show default")
                #expect(seen.contains("dev \(names.router)") && seen.contains("initcwnd 7 congctl cubic"), "\(seen)")
                try socket.request(route.removal)
                #expect(try output("ip \(family == .v4 ? "-4" : "-6") route show default").isEmpty)
            }
            #expect(try !output("ip -6 address show dev \(names.router)").contains("tentative"))
            let neighbour = Neighbour(.v4, [10, 1, 0, 2], hardware: [2, 0, 0, 0, 0, 1])
            try socket.request(neighbour.replacement(on: router.index))
            #expect(try output("ip neighbour show").contains("10.1.0.2 dev \(names.router) lladdr 02:00:00:00:00:01"))
            var rule = RoutingRule(.v4, table: 100, priority: 1000)
            (rule.transport, rule.destination, rule.destinationPort) = (6, [192, 0, 2, 1], 443)
            do {
                try socket.request(rule.addition)
                let seen = try output("ip rule show priority 1000")
                #expect(seen.contains("to 192.0.2.1 ipproto tcp dport 443 lookup 100"), "\(seen)")
            } catch let error as NetlinkError {
                // Not all kernels support rules.
                #expect(error.code == .notSupported)
            }
        }
    }

    @Test func tokenBucketIsAsItWasSet() throws {
        try withRouter { socket, router in
            let bucket = TokenBucket(rate: ByteRate(bytesPerSecond: 97_500), burst: 3000, limit: 75_000)
            let queue = TrafficQueue(.tokenBucket(bucket), handle: TrafficHandle(1), overhead: -14)
            try socket.request(queue.message(.add, on: router))
            let installed = try #require(try socket.queue(queue.handle, of: router))
            #expect(queue.differences(from: installed).isEmpty)
            let seen = try output("tc -s -j qdisc show dev \(router)")
            #expect(seen.contains("\"kind\":\"tbf\",\"handle\":\"1:\",\"root\":true"))
            // tc(8) counts the burst in ticks, and shows the limit as a time: 72,000 bytes at the rate.
            #expect(seen.contains("\"rate\":97500,\"burst\":2999,\"lat\":738461"))
            #expect(try output("tc -d qdisc show dev \(router)").contains("overhead -14"))
            // Another rate is a difference.
            var other = queue
            other.discipline = .tokenBucket(
                TokenBucket(rate: ByteRate(bytesPerSecond: 97_501), burst: 3200, limit: 75_001))
            other.overhead = nil
            #expect(
                other.differences(from: installed).map(\.description) == [
                    "the overhead of the tbf queue 1: is -14, not 0",
                    "the rate of the tbf queue 1: is 97500, not 97501",
                    "the limit of the tbf queue 1: is 75000, not 75001",
                    "the burst of the tbf queue 1: is 480769, not 512815",
                ])
        }
    }

    @Test func hierarchyIsAsItWasSet() throws {
        try withRouter { socket, router in
            let queue = TrafficQueue(.hierarchy(defaultMinor: 0x10), handle: TrafficHandle(1), overhead: -14)
            let rate = ByteRate(bytesPerSecond: 12_500_000_000)
            let trafficClass = TrafficClass(
                handle: TrafficHandle(1, 0x10), parent: TrafficHandle(1), rate: rate, burst: 12_500_000, quantum: 1500)
            let leaf = TrafficQueue(
                .packetFIFO(packets: 50), handle: TrafficHandle(0x10), parent: TrafficHandle(1, 0x10))
            try socket.request([
                queue.message(.add, on: router), trafficClass.message(.add, on: router), leaf.message(.add, on: router),
            ])
            for wanted in [queue, leaf] {
                let installed = try #require(try socket.queue(wanted.handle, of: router))
                #expect(wanted.differences(from: installed).isEmpty)
            }
            let installed = try #require(try socket.classes(of: router).first)
            #expect(trafficClass.differences(from: installed).isEmpty)
            #expect(try output("tc class show dev \(router)").contains("rate 100Gbit ceil 100Gbit"))
            #expect(try output("tc qdisc show dev \(router)").contains("r2q 10 default 0x10"))
            try socket.request(queue.message(.delete, on: router))
            #expect(try socket.queues(of: router).allSatisfy { $0.kind == "noqueue" })
        }
    }

    /// Packets keep waiting in a queue that changes; a queue of another kind would drop them.
    @Test func changesKeepPackets() throws {
        try withRouter { socket, router in
            func bucket(_ rate: UInt64) -> TrafficQueue {
                let bucket = TokenBucket(rate: ByteRate(bytesPerSecond: rate), burst: 3000, limit: 1 << 20)
                return TrafficQueue(.tokenBucket(bucket), handle: TrafficHandle(1))
            }
            func counters() throws -> TrafficCounters {
                try #require(try socket.queue(TrafficHandle(1), of: router)).counters
            }
            try socket.request(bucket(1).message(.replace, on: router))
            try send(packets: 20, from: router)
            let before = try counters()
            #expect(before.packets + UInt64(before.queuedPackets) == 20 && before.queuedPackets >= 16)
            #expect(before.waits > 0 && before.drops == 0)
            try socket.request(bucket(2).message(.replace, on: router))
            try socket.request(bucket(1).message(.change, on: router))
            let after = try counters()
            // Each change gives it a new bucket full of tokens.
            #expect(after.packets + UInt64(after.queuedPackets) == 20 && after.queuedPackets >= 12)
            let json = try output("tc -s -j qdisc show dev \(router)")
            #expect(json.contains("\"backlog\":\(after.queuedBytes),\"qlen\":\(after.queuedPackets)"))
        }
    }

    /// Incoming packets are queued on an ifb, whose limit then holds.
    @Test func incomingPacketsAreRedirected() throws {
        try withRouter { socket, router in
            try socket.withIntermediate("ifb0") { ifb in
                try socket.bringUp(ifb)
                let ingress = TrafficQueue(.ingress, handle: TrafficHandle(0xffff), parent: .ingress)
                let filter = TrafficFilter(
                    parent: TrafficHandle(0xffff), priority: 1, .all, matches: [.any], .redirect(ifb.index))
                let limit = TrafficQueue(.packetFIFO(packets: 0), handle: TrafficHandle(1))
                try socket.request([
                    limit.message(.add, on: ifb), ingress.message(.add, on: router), filter.message(.add, on: router),
                ])
                let seen = try output("tc -s -j filter show dev \(router) ingress")
                #expect(seen.contains("\"kind\":\"mirred\"") && seen.contains("\"to_dev\":\"ifb0\""))
                #expect(seen.contains("\"mirred_action\":\"redirect\""))
                let client = try socket.interface(names.client).interface
                try send(packets: 5, from: client)
                // The ifb's own tasklet takes them a little later.
                let deadline = ContinuousClock.now + .seconds(5)
                while try drops(of: ifb, socket) < 5, ContinuousClock.now < deadline { usleep(1000) }
                #expect(try drops(of: ifb, socket) == 5)
                let installed = try socket.filters(of: router, at: TrafficHandle(0xffff))
                #expect(installed.contains { $0.kind == "u32" && $0.info >> 16 == 1 })
                try socket.request(filter.message(.delete, on: router))
                #expect(try socket.filters(of: router, at: TrafficHandle(0xffff)).isEmpty)
            }
        }
    }

    private func drops(of interface: NetworkInterface, _ socket: TestSocket) throws -> UInt32 {
        try #require(try socket.queue(TrafficHandle(1), of: interface)).counters.drops
    }

    /// Many queues do not fit into one answer.
    @Test func listsAreReadWhole() throws {
        try withRouter { socket, router in
            let root = TrafficQueue(.hierarchy(defaultMinor: 1), handle: TrafficHandle(1))
            try socket.request(root.message(.add, on: router))
            let rate = ByteRate(bytesPerSecond: 1000)
            let classes = (1...600).map { minor in
                TrafficClass(
                    handle: TrafficHandle(1, UInt16(minor)), parent: TrafficHandle(1), rate: rate, burst: 3000,
                    quantum: 1500)
            }
            try socket.request(classes.map { $0.message(.add, on: router) })
            let installed = try socket.classes(of: router)
            #expect(Set(installed.map(\.handle)) == Set(classes.map(\.handle)))
        }
    }

    /// Sends empty Ethernet frames to the broadcast address.
    private func send(packets: Int, from interface: NetworkInterface) throws {
        let raw = testbed_open_packets(interface.index)
        try #require(raw >= 0)
        defer { close(raw) }
        let frame = [UInt8](repeating: 0xff, count: 12) + [0x88, 0xb5] + [UInt8](repeating: 0, count: 986)
        for _ in 0..<packets {
            // The kernel reports a full or closed queue to a sender on this machine.
            #expect(Glibc.send(raw, frame, frame.count, 0) == frame.count || errno == ENOBUFS)
        }
    }
}
