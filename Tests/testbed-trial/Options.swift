import SandboxMessages
import SystemPackage
import Testbed

/// The options of a trial: `testbed-trial MODE [OPTIONS] [-- CMD...]`.
struct Options {
    var mode = ""
    var configuration = SandboxConfiguration()
    var namespace = SandboxNamespace.client
    var count = 1
    /// Bytes that are kept after each sandbox, as a leak.
    var leak = 0
    /// The value of a variable by which the programs in the sandbox are found.
    var token = ""
    var hasLink = false
    /// A port at which the host greets each client.
    var port: UInt16?
    var command: [String] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        mode = rest.popFirst() ?? ""
        while let option = rest.popFirst() {
            if option == "--" {
                command = Array(rest)
                break
            } else if option == "--link" {
                hasLink = true
                continue
            } else if option == "--router" {
                configuration.link = .router
                continue
            }
            let value = rest.popFirst() ?? ""
            switch option {
            case "--storage": configuration.storageSize = Int64(value)
            case "--scratch": configuration.scratchSize = Int64(value)
            case "--mtu": configuration.mtu = Int(value) ?? 0
            case "--congestion-control": configuration.congestionControl = value
            case "--init": programs.initializer = FilePath(value)
            case "--sandbox": programs.sandbox = FilePath(value)
            case "--in": namespace = SandboxNamespace(rawValue: value) ?? .client
            case "--count": count = Int(value) ?? 1
            case "--patience": configuration.patience = .milliseconds(Int(value) ?? 0)
            case "--leak": leak = Int(value) ?? 0
            case "--token": token = value
            case "--port": port = UInt16(value)
            default: throw Problem("unknown option \(option)")
            }
        }
    }

    /// The programs beside this one, unless one is replaced.
    private var programs: SandboxConfiguration.Programs {
        get {
            let directory = FilePath(CommandLine.arguments[0]).removingLastComponent()
            return configuration.programs
                ?? .init(
                    initializer: directory.appending("headwind-init"), sandbox: directory.appending("headwind-sandbox"))
        }
        set { configuration.programs = newValue }
    }

    /// The command to run in the sandbox, with this process's standard streams.
    var sandboxCommand: SandboxCommand {
        var command = SandboxCommand(
            command,
            environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HEADWIND_TEST": token, "LC_ALL": "C",
            ])
        command.namespace = namespace
        command.descriptors = (0..<3).map { (FileDescriptor(rawValue: $0), $0) }
        return command
    }
}

struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

/// Writes a line to standard output at once, so that it is there even if this process is killed.
func say(_ items: Any...) {
    let line = items.map { "\($0)" }.joined(separator: " ") + "\n"
    _ = try? FileDescriptor.standardOutput.writeAll(line.utf8)
}
