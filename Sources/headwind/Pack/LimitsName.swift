import ArgumentParser
import PackFormat

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
