import Glibc
package import LinuxSupport
import PacketLink

/// What commands take, in one table: measured with the programs of a debug build on two processors, and half as much again.
///
/// Swift's threads, SwiftNIO's loops and signals end the program, or wait without end, where they cannot be had: so they are
/// asked for before.
extension ResourceNeeds {
    /// Any command: Swift's threads, of which there is one a processor, and those that hear signals and time.
    package static let command = ResourceNeeds(
        descriptors: 16, threads: processors + 3, addressSpace: 64 << 20)

    /// The loops that all hosts of this process share: one a processor.
    private static let sharedLoops = eventLoop * processors

    /// A standing host: each connection has a socket, and the file that it is sent.
    package static func host(connections: Int) -> ResourceNeeds {
        command + sharedLoops + ResourceNeeds(descriptors: 8 + 2 * connections, addressSpace: 64 << 20)
    }

    /// A link by the proxy, without which it would turn connections away that a client is sure to open.
    package static let proxy =
        command + sharedLoops
        + ResourceNeeds(descriptors: 64 + 2 * proxyConnections, threads: 2, addressSpace: 64 << 20)

    /// A program behind a link by the proxy.
    package static let proxyProgram = proxy + ResourceNeeds(descriptors: 4, threads: 2)

    /// A program in a sandbox of its own, and doctor's look at one: headwind-init, headwind-sandbox, pasta, and what keeps them.
    package static let sandboxProgram =
        command + ResourceNeeds(descriptors: 24, threads: 14, addressSpace: (64 << 20) + packetLinkBytes)

    /// The built-in client by hand.
    package static let client = command + ResourceNeeds(descriptors: 32, threads: 4, addressSpace: 128 << 20)

    /// A run of `jobs` cells at once, of which some may be behind packets or the kernel's queues.
    static func run(jobs: Int, hasCells: Bool) -> ResourceNeeds {
        // The greatest of the programs that a run starts, of which each has that limit for itself.
        let programs = ResourceNeeds(threads: 4, addressSpace: 384 << 20)
        return command + sharedLoops + ResourceNeeds(descriptors: 64) + programs
            + (hasCells ? attemptInSandbox : attemptByProxy) * jobs
    }

    /// Host, link, guard and client of an attempt, with four downloads at once.
    private static let attemptByProxy = ResourceNeeds(
        descriptors: 36, threads: 8 + 2 * clientThreads, addressSpace: 16 << 20)
    private static let attemptInSandbox = ResourceNeeds(
        descriptors: 32, threads: 10 + 2 * clientThreads, addressSpace: (16 << 20) + packetLinkBytes)

    /// What the buffers of a link by packets reserve, used or not.
    private static let packetLinkBytes = PacketLimits().packetBytes + (32 << 20)
    private static let proxyConnections = 16
    private static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// A client has little to compute, and so not a thread for each of many processors.
    private static let clientThreads = min(processors, 4)
}
