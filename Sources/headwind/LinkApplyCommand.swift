import ArgumentParser
import InterfaceShaping
import KernelLink

/// `headwind link apply`: has a watchdog shape an interface, and waits until it is.
struct LinkApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Shape an interface, for a time or until 'headwind link clear'.",
        discussion: """
            Downloads are what comes in by the interface, uploads what leaves. A process 'headwind link watch' takes \
            the shape off when its time is over, and at once when it is told to end (SIGTERM). If it is killed \
            (SIGKILL), the shape stays until 'headwind link clear' or a reboot. Needs root, or CAP_NET_ADMIN.

              headwind link apply eth0 --profile 3g
              headwind link apply eth0 --profile lte --for 2h --except 22
              headwind link apply wlan0 --profile ./train.yaml \\
                --except 192.168.0.0/16 --except fd00::/8
              headwind link apply wlan0 --devices --rule '192.168.1.20 3g' \\
                --rule '02:00:00:00:00:01 edge' --rule '443 lte'

            On an interface that has a shape already this one takes its place; with the same queues no packet is lost, \
            and rules that stay as they are notice nothing. \
            Refused are loopback, a root queue that is not the kernel's default (see --replace), an ingress queue of \
            somebody's, and an interface that carries your SSH session without an exception for it.
            """
    )

    @OptionGroup var options: LinkOptions

    func run() async throws {
        let order = try LinkOrder(options)
        do {
            let start = try WatchdogStart(["headwind", "link", "watch"] + options.words)
            switch try start.wait() {
            case .ready(let lines):
                Console.out(lines: lines)
                try Self.settle(start, order)
            case .failed(let status): throw ExitCode(status)
            case .killed: throw WatchdogStart.cleanUp(order)
            }
        } catch let error as InterfaceLinkError {
            throw CommandFailure(error)
        }
    }

    /// Has the shape stay where the user could be told of it; an output that is not read to its end, as by `head -1`, is enough.
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
                status: .infrastructure,
                description:
                    "Could not leave interface \(order.interface) shaped: for 30 s no program read the message, or another process took "
                    + "the shape off meanwhile. Read the output of 'headwind link apply' at once, and see 'headwind link show'."
            )
        }
    }
}
