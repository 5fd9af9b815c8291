/// Names that were met, to tell a new one from one that came before.
///
/// Names are bytes on Linux. On Apple's file systems two names are one where Unicode calls them canonically equivalent:
/// `é` may be one scalar, or `e` and an accent. Swift's `String` has that equality too, so a set or a dictionary of names
/// would drop one of them in silence.
package struct NameLedger: Sendable {
    /// What is known of a name.
    package enum Answer: Hashable, Sendable {
        /// It was not there before.
        case new
        /// The same bytes were there before.
        case again
        /// This name was there before: other bytes, and the same name in another Unicode normalisation.
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

    /// What is wrong with two such names, for an error: both with escapes.
    package static func reason(_ name: String, _ twin: String) -> String {
        "'\(NameText.escaped(twin))' and '\(NameText.escaped(name))' are one name in two Unicode normalisations, and "
            + "Apple's file systems hold only one of them"
    }
}
