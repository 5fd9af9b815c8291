import InterfaceShaping
import KernelLink
import LinkModel

extension LinkOrder {
    /// Throws what is wrong with it, as one failure with a sentence.
    init(_ options: LinkOptions) throws {
        func invalid(_ text: String) -> CommandFailure { CommandFailure(status: .invalidInput, description: text) }
        do { try InterfaceLinks.check(name: options.interface) } catch { throw CommandFailure(error) }
        let exceptions = try options.except.map { text in
            do { return try LinkException(parsing: text) } catch { throw invalid("\(error)") }
        }
        let time = try Self.time(options.time)
        let profile = try ProfileCommand.named(options.profile)
        do {
            let shape = try InterfaceShape(profile, exceptions: exceptions)
            self.init(interface: options.interface, shape: shape, time: time, replaces: options.replace)
        } catch { throw CommandFailure(error) }
    }

    private static func time(_ text: String) throws -> Duration? {
        if text == "ever" { return nil }
        func invalid(_ reason: String) -> CommandFailure {
            CommandFailure(
                status: .invalidInput, description: "Could not read '\(text)' as the time of a shape: \(reason)")
        }
        let time: Duration
        do { time = try Duration(parsing: text) } catch { throw invalid("\(error). Or write 'ever'.") }
        guard time >= .seconds(1), time <= longest else {
            throw invalid("it is 1 s to 8760 h; for longer, write 'ever'.")
        }
        return time
    }

    private static let longest = Duration.seconds(8760 * 3600)
}

extension CommandFailure {
    /// The error, and whose doing it is.
    init(_ error: InterfaceLinkError) {
        let status: ExitStatus =
            switch error.kind {
            case .request: .invalidInput
            case .machine: .unavailable
            case .privilege: .noPermission
            case .others: .infrastructure
            }
        self.init(status: status, description: error.description)
    }
}
