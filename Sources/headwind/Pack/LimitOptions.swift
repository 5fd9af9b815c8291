import ArgumentParser
import AssetPacks
import PackFormat

/// The limits for packs, and how severe it is to exceed one.
struct LimitOptions: ParsableArguments {
    /// The system that judges the packs.
    enum Judge: String, ExpressibleByArgument, CaseIterable {
        /// A store refuses packs over a limit.
        case store
        /// Xcode warns about packs over a limit, and still lets you test them.
        case xcode

        /// The severity of a finding about a limit.
        func severity(_ severity: LimitFinding.Severity) -> LimitFinding.Severity {
            self == .xcode ? .warning : severity
        }

        /// The advice on a limit with the severity that it has for this system.
        func judged(_ advice: Advice) -> Advice {
            var advice = advice
            advice.severity = severity(advice.severity)
            return advice
        }
    }

    @Option(
        help: """
            The system whose limits apply to the packs. (default: \(Limits.standard(for: .onDemandResources).name), or \
            \(Limits.standard(for: .backgroundAssets).name) for Background Assets)
            """)
    var limits: Limits?

    @Option(help: ArgumentHelp("Change or remove a limit. May be repeated.", valueName: "name=bytes"))
    var limit: [String] = []

    @Option(name: .customLong("as"), help: "Report a pack beyond a limit as an error (store) or a warning (xcode).")
    var judge = Judge.store

    func validate() throws { _ = try chosen() }

    /// The limits that the options select for packs of this system (default: On-Demand Resources).
    ///
    /// Throws `ValidationError` for impossible values.
    func chosen(for delivery: Delivery = .onDemandResources) throws -> Limits {
        var chosen = limits ?? .standard(for: delivery)
        for text in limit {
            do { try chosen.change(text) } catch { throw ValidationError("--limit \(error)") }
        }
        return chosen
    }
}

/// Limits by name on the command line.
extension Limits: ExpressibleByArgument {
    static var allValueStrings: [String] { all.map(\.name) }

    init?(argument: String) {
        guard let limits = Self.named(argument) else { return nil }
        self = limits
    }
}
