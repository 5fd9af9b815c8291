import ArgumentParser
import Glibc
import InterfaceShaping
import LinuxSupport

/// `headwind link apply`: starts a watchdog that shapes an interface, and waits until it is shaped.
struct LinkApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Shape an interface, for a time or until 'headwind link clear'.",
        discussion: """
            Downloads arrive on the interface, uploads leave by it. A process 'headwind link watch' stops the shaping \
            when the time is over, or at once on SIGTERM. If it is killed (SIGKILL), the shape stays until 'headwind \
            link clear' or a reboot. Needs root, or CAP_NET_ADMIN.

              headwind link apply eth0 --profile 3g
              headwind link apply eth0 --profile lte --for 2h --except 22
              headwind link apply wlan0 --profile ./train.yaml \\
                --except 192.168.0.0/16 --except fd00::/8
              headwind link apply wlan0 --devices --rule '192.168.1.20 3g' \\
                --rule '02:00:00:00:00:01 edge' --rule '443 lte'

            It replaces an earlier shape of the interface. With the same queues no packet is lost, and unchanged rules \
            are not affected. It refuses loopback, a root queue that is not the kernel's default (see --replace), \
            another program's ingress queue, and an interface that carries your SSH session without an exception for \
            it.
            """
    )

    @OptionGroup var options: LinkOptions

    func run() async throws {
        let order = try LinkOrder(options)
        let start = try WatchdogStart(["headwind", "link", "watch"] + options.words)
        switch try start.wait() {
        case .ready(let lines):
            Console.out(lines: lines)
            try Self.settle(start, order)
        case .failed(let status): throw ExitCode(status)
        case .killed: throw WatchdogStart.cleanUp(order)
        }
    }

    /// Keeps the shape if it was reported to the user, or else removes it.
    ///
    /// An output that is not read to its end, as by `head -1`, counts as reported.
    private static func settle(_ start: WatchdogStart, _ order: LinkOrder) throws {
        let isTold = Console.isWritable
        switch isTold ? start.confirm() : start.withdraw() {
        case nil: break
        case .killed?: throw WatchdogStart.cleanUp(order)
        case .failed(let status)? where status != 0: throw ExitCode(status)
        case .failed?, .ready?:
            guard isTold else {
                Console.note(
                    "Interface \(order.interface) is not shaped, because the message about it could not be written.")
                return try Console.checkOutput()
            }
            throw CommandFailure(
                .infrastructure,
                "Could not keep interface \(order.interface) shaped: no program read the message for 30 s, or another "
                    + "process removed the shape. Read the output of 'headwind link apply' at once, and see 'headwind "
                    + "link show'.")
        }
    }
}

/// `headwind link watch`: the process that shapes an interface, runs as long as the shape exists, and removes it.
///
/// `apply` starts it. It reports on standard output what it has done, then a line with a dot. It continues if it reads
/// a byte from standard input, and removes the shape if that ends without one.
struct LinkWatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Keep an interface shaped for a time, then stop.",
        discussion: """
            'headwind link apply' starts it. It stays after it reads a byte from standard input:

              headwind link watch --profile 3g --for 10min eth0
            """,
        shouldDisplay: false)

    @OptionGroup var options: LinkOptions

    func run() throws {
        let order = try LinkOrder(options)
        // A signal before anything is done ends it as any program.
        let signals = try SignalPipe([SIGTERM, SIGINT])
        signal(SIGHUP, SIG_IGN)
        try LinkWatchdog(order) { !signals.wait(atMost: $0).isEmpty }.run {
            LinkText.applied($0, order, isUp: $1)
        } write: {
            Console.out(lines: $0)
            return Console.hasReader
        }
    }
}
