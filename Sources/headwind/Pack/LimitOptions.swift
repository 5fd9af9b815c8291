import ArgumentParser
import AssetPacks
import PackFormat

/// The limits that packs are compared with, and what follows if a pack is over one.
struct LimitOptions: ParsableArguments {
    /// Who looks at the packs.
    enum Judge: String, ExpressibleByArgument, CaseIterable {
        /// A store refuses what is over a limit.
        case store
        /// Xcode warns of it, and lets one test.
        case xcode

        /// How grave something is that is over a limit.
        func severity(_ severity: LimitFinding.Severity) -> LimitFinding.Severity {
            self == .xcode ? .warning : severity
        }
    }

    @Option(help: "The system whose limits apply to the packs.")
    var limits = LimitsName.standard

    @Option(help: ArgumentHelp("Change or remove a limit. May be repeated.", valueName: "name=bytes"))
    var limit: [String] = []

    @Option(
        name: .customLong("as"),
        help: "Report a pack beyond a limit as an error (store) or a warning (xcode).")
    var judge = Judge.store

    func validate() throws { _ = try chosen() }

    /// The limits that were asked for.
    ///
    /// Throws `ValidationError` for what cannot be meant.
    func chosen() throws -> Limits {
        var chosen = limits.limits
        for text in limit {
            do { try chosen.change(text) } catch { throw ValidationError("--limit \(error)") }
        }
        return chosen
    }
}

/// Limits by name on the command line.
struct LimitsName: ExpressibleByArgument {
    let limits: Limits

    static let standard = LimitsName(limits: .ios2015)

    static let allValueStrings = Limits.all.map(\.name)

    var defaultValueDescription: String { limits.name }

    init(limits: Limits) {
        self.limits = limits
    }

    init?(argument: String) {
        guard let limits = Limits.named(argument) else { return nil }
        self.limits = limits
    }
}
