/// What kind of trouble an error is, for people.
package enum ErrorClass: String, CaseIterable, Codable, Sendable {
    case network
    case storage
    case unexpected
}
