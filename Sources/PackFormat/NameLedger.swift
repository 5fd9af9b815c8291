/// A set of names that distinguishes new names from earlier ones.
///
/// Names are bytes on Linux. On Apple's file systems, names that Unicode calls canonically equivalent are the same
/// name: `é` may be one scalar, or `e` and an accent. Swift's `String` compares in the same way, so a set or a
/// dictionary of names would silently drop one of them.
package struct NameLedger: Sendable {
    /// Whether a name is new.
    package enum Answer: Hashable, Sendable {
        /// The name is new.
        case new
        /// The same bytes were entered before.
        case again
        /// This other name was entered before: different bytes, but the same name in another Unicode normalisation.
        case twin(String)
    }

    private var names: [String: String] = [:]

    /// No name yet.
    package init() {}

    /// Enters a name, and says whether it is new.
    package mutating func enter(_ name: String) -> Answer {
        guard let known = names[name] else {
            names[name] = name
            return .new
        }
        return known.utf8.elementsEqual(name.utf8) ? .again : .twin(known)
    }

    /// The problem with two such names, for an error; shows both with escapes.
    package static func reason(_ name: String, _ twin: String) -> String {
        "'\(NameText.escaped(twin))' and '\(NameText.escaped(name))' are one name in two Unicode normalisations, and "
            + "Apple's file systems hold only one of them"
    }
}
