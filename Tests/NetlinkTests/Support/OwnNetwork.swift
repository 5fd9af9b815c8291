import CLinux
import Glibc
import Netlink
import SystemPackage
import Testing

/// The tests need root, as CI has it, to make networks.

/// Runs `body` in a network of its own, which has only lo.
///
/// It must not await anything: the network is that of the thread, which gets its own back afterwards.
func withNetwork<Result>(_ body: (TestSocket) throws -> Result) throws -> Result {
    let own = try FileDescriptor.open("/proc/thread-self/ns/net", .readOnly, options: .closeOnExec)
    defer { try? own.close() }
    try #require(headwind_unshare_network() == 0, "no network namespace can be made here")
    defer { precondition(headwind_enter_network(own.rawValue) == 0, "this thread has lost its network") }
    return try body(TestSocket())
}

/// A route socket for test macros, whose closures cannot capture noncopyable values.
final class TestSocket {
    private let socket: RouteSocket

    init() throws {
        socket = try RouteSocket()
    }

    func request(_ messages: RouteMessage...) throws { try socket.request(messages) }
    func request(_ messages: [RouteMessage]) throws { try socket.request(messages) }
    func interfaces() throws -> [InterfaceState] { try socket.interfaces() }
    func interface(_ name: String) throws -> InterfaceState { try socket.interface(InterfaceName(name)) }
    func classes(of interface: NetworkInterface) throws -> [InstalledTraffic] { try socket.classes(of: interface) }

    func queue(_ handle: TrafficHandle, of interface: NetworkInterface) throws -> InstalledTraffic? {
        try socket.queues(of: interface).first { $0.handle == handle }
    }

    func queues(of interface: NetworkInterface) throws -> [InstalledTraffic] { try socket.queues(of: interface) }

    func filters(of interface: NetworkInterface, at parent: TrafficHandle) throws -> [InstalledTraffic] {
        try socket.filters(of: interface, at: parent)
    }

    /// Brings up an interface, without packets that it sends by itself.
    func bringUp(_ interface: NetworkInterface) throws {
        // Fails without IPv6, where it is not needed.
        try? socket.request(InterfaceChange(makesAddresses: false).message(for: interface.index))
        try socket.request(InterfaceChange(isUp: true).message(for: interface.index))
    }

    func withPair(_ name: String, _ peer: String, _ body: (NetworkInterface) throws -> Void) throws {
        try request(VirtualInterface.pair(InterfaceName(name), InterfaceName(peer)))
        try remove(interface(name).interface, after: body)
    }

    func withIntermediate(_ name: String, _ body: (NetworkInterface) throws -> Void) throws {
        try request(VirtualInterface.intermediate(InterfaceName(name)))
        try remove(interface(name).interface, after: body)
    }

    private func remove(_ interface: NetworkInterface, after body: (NetworkInterface) throws -> Void) throws {
        do {
            try body(interface)
        } catch {
            // The first error says more; the interface goes with its namespace anyway.
            try? request(VirtualInterface.removal(of: interface))
            throw error
        }
        try request(VirtualInterface.removal(of: interface))
    }
}

/// The output of a command that runs in the network of this thread.
func output(_ command: String) throws -> String {
    guard let stream = popen("LC_ALL=C \(command) 2>&1", "r") else { throw Errno(rawValue: errno) }
    var text: [UInt8] = []
    while case let byte = fgetc(stream), byte >= 0 { text.append(UInt8(byte)) }
    let status = pclose(stream)
    #expect(status == 0, "\(command): \(String(decoding: text, as: UTF8.self))")
    return String(decoding: text, as: UTF8.self)
}

/// Whether this kernel has netem, found out once.
let hasNetem: Bool = {
    guard geteuid() == 0 else { return false }
    let isThere = try? withNetwork { socket in
        let lo = NetworkInterface(index: 1, name: "lo")
        do {
            try socket.request(TrafficQueue(.netem(Netem(limit: 1))).message(.add, on: lo))
            return true
        } catch let error as NetlinkError {
            return error.missingPart == nil
        }
    }
    return isThere ?? false
}()

extension Trait where Self == ConditionTrait {
    /// For tests that need netem, which Scripts/netem-test runs if this kernel has none.
    ///
    /// There `HEADWIND_NETEM=required` runs them in any case, so that none is skipped for lack of netem.
    static var needsNetem: Self {
        .enabled(if: isUnderNetem || hasNetem, "this kernel has no netem: netem-test runs this")
    }

    /// For tests of a kernel without netem, which most machines have.
    static var needsNoNetem: Self { .disabled(if: hasNetem, "not on this machine: its kernel has netem") }
}
