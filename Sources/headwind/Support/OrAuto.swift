import ArgumentParser
import Links

extension LinkBackend: ExpressibleByArgument {}

/// The value of an option that also takes `auto`: Headwind chooses.
struct OrAuto<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument {
    /// The word `auto`.
    static var auto: Self { Self(value: nil) }

    /// Nil: ``auto``.
    let value: Value?

    private init(value: Value?) { self.value = value }

    init?(argument: String) {
        let value = Value(argument: argument)
        guard value != nil || argument == "auto" else { return nil }
        self.init(value: value)
    }

    // Help lists no values of a type that names none.
    static var allValueStrings: [String] { Value.allValueStrings.isEmpty ? [] : ["auto"] + Value.allValueStrings }

    var defaultValueDescription: String { value?.defaultValueDescription ?? "auto" }
}
