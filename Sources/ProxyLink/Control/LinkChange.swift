internal import FoundationEssentials
package import LinkModel

/// What a control client asks for: one change of what holds on a link.
package enum LinkChange: Sendable, Hashable {
    case profile(ProfileSource)
    case conditions(LinkConditions)
    /// Nil goes online again, with everything else as it is.
    case offline(OfflineKind?)

    /// Why a request is not a change.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads `{"profile": "3g"}`, `{"profile": {…}}`, `{"offline": "silent"}`, `{"offline": null}` or `{"conditions": {…}}`.
    ///
    /// Unknown keys, keys that stand twice, wrong units and values beyond ``LinkBounds`` throw.
    package init(json: [UInt8]) throws(Malformed) {
        do {
            self = try JSONDecoder().decode(LinkChangeForm.self, from: Data(json)).change
            if case .profile(.sent) = self { self = .profile(.sent(json)) }
            if let key = RepeatedKey.first(in: json) {
                throw Malformed(description: "the key '\(key)' stands twice in one object")
            }
        } catch let error as Malformed {
            throw error
        } catch DecodingError.dataCorrupted(let context) {
            let isInValue = !context.codingPath.isEmpty
            throw Malformed(
                description: isInValue ? context.debugDescription : #"the body is not JSON, such as {"profile": "3g"}"#)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw Malformed(description: "'\(path)' is not what it should be: \(context.debugDescription)")
        } catch {
            throw Malformed(description: "\(error)")
        }
    }
}

/// Which profile a client asks for.
package enum ProfileSource: Sendable, Hashable {
    case named(String)
    /// It stands in the request, of which this is all, under `profile`.
    case sent([UInt8])
}
