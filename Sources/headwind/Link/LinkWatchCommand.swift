import ArgumentParser
import Glibc
import InterfaceShaping
import LinuxSupport

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
