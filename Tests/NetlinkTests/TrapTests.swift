import CLinux
import CTestbed
import Glibc
import Netlink
import SystemPackage
import Testing

/// Requests that a kernel refuses, and cases in which libnl-route and others fail silently.
@Suite(.serialized, .needsRoot) struct TrapTests {
    private let lo = NetworkInterface(index: 1, name: "lo")

    private func refusal(_ body: (TestSocket) throws -> Void) throws -> NetlinkError {
        try withNetwork { socket in
            do {
                try body(socket)
            } catch let error as NetlinkError {
                return error
            }
            throw Errno.notSupported
        }
    }

    /// A kernel without netem is distinguished from one that lacks something else.
    @Test(.needsNoNetem) func missingKindsAreNamed() throws {
        let error = try refusal { socket in
            try socket.request(TrafficQueue(.netem(Netem(limit: 1000))).message(.add, on: lo))
        }
        #expect(error.code == .noSuchFileOrDirectory && error.missingPart?.option == "CONFIG_NET_SCH_NETEM")
        let sentence = error.description
        #expect(sentence.hasPrefix("Could not add the netem queue at root of interface lo: this kernel has no netem"))
        #expect(sentence.contains("Specified qdisc kind is unknown") && sentence.contains("'modprobe sch_netem'"))
    }

    @Test func theKernelsWordsAreKept() throws {
        let missing = try refusal { socket in
            try socket.request(
                TrafficQueue(.byteFIFO(bytes: 1), parent: TrafficHandle(9, 1)).message(.add, on: lo))
        }
        #expect(missing.words?.isEmpty == false && missing.missingPart == nil, "\(missing)")
        let doubled = try refusal { socket in
            let queue = TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(1))
            try socket.request(queue.message(.add, on: lo))
            try socket.request(queue.message(.add, on: lo))
        }
        #expect(doubled.code == .fileExists && doubled.words != nil)
        #expect(doubled.description.contains("remove it first, or replace it"))
    }

    @Test func noInterface() throws {
        let gone = NetworkInterface(index: 999, name: "gone0")
        let error = try refusal { socket in
            try socket.request(TrafficQueue(.byteFIFO(bytes: 3000)).message(.add, on: gone))
        }
        #expect(error.code == .operationNotSupportedByDevice)
        #expect(error.description.contains("of interface gone0") && error.description.contains("See 'ip link'"))
        let unknown = try refusal { socket in _ = try socket.interface("gone0") }
        #expect(unknown.code == .operationNotSupportedByDevice)
        #expect(unknown.description.hasPrefix("Could not find interface gone0: No such device"))
    }

    /// Of several requests, the error names the first one that was refused, and the others take effect.
    @Test func aBatchReportsItsFirstRefusal() throws {
        try withNetwork { socket in
            let good = TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(1))
            let bad = TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(2), parent: TrafficHandle(7, 7))
            var other = good
            other.discipline = .byteFIFO(bytes: 4000)
            let error = #expect(throws: NetlinkError.self) {
                try socket.request([
                    good.message(.add, on: lo), bad.message(.add, on: lo), other.message(.change, on: lo),
                ])
            }
            #expect(error?.purpose == bad.message(.add, on: lo).purpose)
            let installed = try #require(try socket.queue(good.handle, of: lo))
            #expect(other.differences(from: installed).isEmpty)
        }
    }

    /// The process has no privilege in the user namespace of its network.
    @Test func noPrivilege() async {
        await #expect(processExitsWith: .success) {
            guard headwind_drop_privileges() == 0 else { exit(2) }
            do {
                let socket = try RouteSocket()
                let lo = NetworkInterface(index: 1, name: "lo")
                try socket.request(
                    TrafficQueue(.byteFIFO(bytes: 3000), handle: TrafficHandle(0x77)).message(.add, on: lo))
                exit(3)
            } catch let error as NetlinkError {
                exit(error.code == .notPermitted && error.description.contains("CAP_NET_ADMIN") ? 0 : 4)
            }
        }
    }

    /// Without this clock libnl would end the process, or take ticks for microseconds.
    @Test(arguments: ["/dev/null", "/proc/version", ""])
    func noClockToRead(cover: String) async {
        await #expect(processExitsWith: .success) { [cover] in
            guard testbed_own_mounts() == 0 else { exit(2) }
            let path = cover.isEmpty ? "/proc" : "/proc/self/net/psched"
            let isCovered =
                cover.isEmpty
                ? headwind_mount("tmpfs", path, "tmpfs", 0, nil) == 0
                : headwind_mount(cover, path, nil, UInt(MS_BIND), nil) == 0
            guard isCovered, headwind_unshare_network() == 0 else { exit(3) }
            let socket = try RouteSocket()
            let lo = NetworkInterface(index: 1, name: "lo")
            let root = TrafficQueue(.hierarchy(defaultMinor: 1), handle: TrafficHandle(1))
            let rate = ByteRate(bytesPerSecond: 125_000)
            let wanted = TrafficClass(
                handle: TrafficHandle(1, 1), parent: TrafficHandle(1), rate: rate, burst: 125_000, quantum: 1500)
            try socket.request([root.message(.add, on: lo), wanted.message(.add, on: lo)])
            guard let installed = try socket.classes(of: lo).first, wanted.differences(from: installed).isEmpty
            else { exit(4) }
            // tc(8) needs the covered file too, and so is not asked here.
            exit(0)
        }
    }

    /// libnl may deadlock if several threads are the first to need the clock.
    @Test func manyThreadsAtOnce() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try withNetwork { socket in
                        let rate = ByteRate(bytesPerSecond: UInt64(1000 * (number + 1)))
                        let bucket = TokenBucket(rate: rate, burst: 3000, limit: 75_000)
                        let queue = TrafficQueue(.tokenBucket(bucket), handle: TrafficHandle(1))
                        let lo = NetworkInterface(index: 1, name: "lo")
                        try socket.request(queue.message(.add, on: lo))
                        return try socket.queues(of: lo).contains { queue.differences(from: $0).isEmpty }
                    }
                }
            }
            for try await isAsSet in group { #expect(isAsSet) }
        }
    }

    /// An adopted socket works on the network in which it was opened.
    @Test func socketsCanBeAdopted() throws {
        let number = try withNetwork { there in
            try there.request(VirtualInterface.intermediate(InterfaceName("there0")))
            return socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }
        let adopted = try RouteSocket(adopting: FileDescriptor(rawValue: number))
        #expect(try adopted.interfaces().map(\.interface.name).sorted() == ["lo", "there0"])
        #expect(throws: NetlinkError.self) { _ = try RouteSocket(adopting: FileDescriptor(rawValue: 9999)) }
    }
}
