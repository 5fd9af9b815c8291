import InterfaceShaping
import KernelLink
import LinkModel
import Scenarios
import SystemPackage

extension LinkOrder {
    /// Reads the options; throws an error with one sentence if one is wrong.
    init(_ options: LinkOptions) throws {
        try InterfaceLinks.check(name: options.interface)
        let time = try Self.time(options.time)
        let file = try options.rules.map { try Self.rules($0, interface: options.interface) }
        let texts = options.except + (file?.exceptions ?? [])
        let exceptions = try texts.map { (text: String) throws -> LinkSelector in
            do throws(LinkSelector.Unreadable) { return try LinkSelector(parsing: text) } catch {
                let shown = String(text.prefix(60)).debugDescription
                throw CommandFailure(.invalidInput, "Could not use the exception \(shown): \(error.reason).")
            }
        }
        let own = try options.rule.map { text in
            let (selector, profile) = try LinkRule.parts(of: text)
            return LinkRule(selector, try ProfileCommand.named(profile))
        }
        let others = try (file?.rules ?? []).map { rule in
            LinkRule(try LinkRule.selector(rule.match, of: "\(rule.match) \(rule.profile.name)"), rule.profile)
        }
        let shape = try InterfaceShape(
            try options.profile.map(ProfileCommand.named) ?? file?.profile, rules: own + others,
            exceptions: Self.each(exceptions), leadsToDevices: options.devices || file?.hasDevices == true)
        self.init(interface: options.interface, shape: shape, time: time, replaces: options.replace)
    }

    /// The rules of a file for an interface.
    static func rules(_ path: String, interface: String) throws -> LinkRulesFile {
        try LinkRulesFile.read(FilePath(path), interface: interface, library: ProfileCommand.library())
    }

    /// The exceptions without duplicates, in their order.
    private static func each(_ exceptions: [LinkSelector]) -> [LinkSelector] {
        exceptions.enumerated().filter { !exceptions[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private static func time(_ text: String) throws -> Duration? {
        if text == "ever" { return nil }
        func invalid(_ reason: String) -> CommandFailure {
            CommandFailure(.invalidInput, "Could not use the time '\(text)': \(reason)")
        }
        let time: Duration
        do { time = try Duration(parsing: text) } catch { throw invalid("\(error). Or write 'ever'.") }
        guard time >= .seconds(1), time <= longest else {
            throw invalid("it must be between 1 s and 8760 h; for longer, write 'ever'.")
        }
        return time
    }

    private static let longest = Duration.seconds(8760 * 3600)
}

extension InterfaceLinkError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch kind {
        case .request: .invalidInput
        case .machine: .unavailable
        case .privilege: .noPermission
        case .others: .infrastructure
        }
    }
}
