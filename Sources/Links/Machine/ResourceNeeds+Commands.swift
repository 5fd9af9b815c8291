import Glibc
package import LinuxSupport
import PacketLink

/// The resources that commands need: measured with a debug build on two processors, plus half.
///
/// Without enough threads or descriptors, Swift's threads, SwiftNIO's loops and signal handlers end the program, or
/// wait forever. So they are checked before the start.
extension ResourceNeeds {
    /// Any command: Swift's threads, one per processor, and those for signals and timers.
    package static let command = ResourceNeeds(
        descriptors: 16, threads: processors + 3, addressSpace: 64 << 20)

    /// The event loops that all hosts of this process share: one per processor.
    private static let sharedLoops = eventLoop * processors

    /// A host that runs by itself: each connection has a socket, and the file that is sent.
    package static func host(connections: Int) -> ResourceNeeds {
        command + sharedLoops + ResourceNeeds(descriptors: 8 + 2 * connections, addressSpace: 64 << 20)
    }

    /// A link over the proxy; with less, it would refuse connections that a client is sure to open.
    package static let proxy =
        command + sharedLoops
        + ResourceNeeds(descriptors: 64 + 2 * proxyConnections, threads: 2, addressSpace: 64 << 20)

    /// A program behind a link over the proxy.
    package static let proxyProgram = proxy + ResourceNeeds(descriptors: 4, threads: 2)

    /// A program in its own sandbox, or doctor's probe: headwind-init, headwind-sandbox, pasta, and the threads that
    /// watch them.
    package static let sandboxProgram =
        command + ResourceNeeds(descriptors: 24, threads: 14, addressSpace: (64 << 20) + packetLinkBytes)

    /// The built-in client when it is started by hand.
    package static let client = command + ResourceNeeds(descriptors: 32, threads: 4, addressSpace: 128 << 20)

    /// A run of `jobs` cells at once; `hasCells`: some may use the `packet` or `kernel` backend.
    package static func run(jobs: Int, hasCells: Bool) -> ResourceNeeds {
        // The largest of the programs that a run starts; the limit applies to each program separately.
        let programs = ResourceNeeds(threads: 4, addressSpace: 384 << 20)
        return command + sharedLoops + ResourceNeeds(descriptors: 64) + programs
            + (hasCells ? attemptInSandbox : attemptByProxy) * jobs
    }

    /// Host, link, guard and client of an attempt with four downloads at once.
    private static let attemptByProxy = ResourceNeeds(
        descriptors: 36, threads: 8 + 2 * clientThreads, addressSpace: 16 << 20)
    private static let attemptInSandbox = ResourceNeeds(
        descriptors: 32, threads: 10 + 2 * clientThreads, addressSpace: (16 << 20) + packetLinkBytes)

    /// The buffers that a packet link reserves, used or not.
    private static let packetLinkBytes = PacketLimits().packetBytes + (32 << 20)
    private static let proxyConnections = 16
    private static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// A client computes little, so it needs no thread for each of many processors.
    private static let clientThreads = min(processors, 4)
}
