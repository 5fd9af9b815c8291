import Glibc
import PackFormat

/// A certificate authority that is made for one run and ends with it.
///
/// Its key never leaves the process's memory. Its certificate is valid from an hour ago, because clocks differ, until 7
/// days from now.
package struct RunAuthority: Sendable {
    /// The authority's certificate as PEM (RFC 7468), for clients to trust.
    package var certificatePEM: String { identity.certificatePEM }

    private let identity: Identity
    private let now: Int64

    /// Creates an authority; `now` is in seconds since 1970-01-01, by default that of CLOCK_REALTIME.
    package init(now: Int64? = nil) {
        self.now = now ?? Int64(time(nil))
        identity = Identity(
            commonName: "Headwind run authority \(String(UInt32.random(in: 0...(.max)), radix: 16))",
            validity: Self.validity(from: self.now), use: .authority)
    }

    /// A certificate for these host names and IP addresses, and its own key.
    func leaf(for names: [String], validity: ClosedRange<Int64>) -> Identity {
        let name = names.first { !$0.isEmpty } ?? "nobody"
        return Identity(commonName: name, validity: validity, use: .server(names), issuer: identity)
    }

    /// The validity of a leaf, in seconds since 1970-01-01: that of its authority, or with a fault a day in the past or
    /// future.
    func validity(with fault: TLSFault?) -> ClosedRange<Int64> {
        switch fault {
        case .expired: now - 2 * Self.day...now - Self.day
        case .notYetValid: now + Self.day...now + 2 * Self.day
        case .wrongName, .unknownAuthority, .cutHandshake, nil: Self.validity(from: now)
        }
    }

    private static let day: Int64 = 86_400

    private static func validity(from now: Int64) -> ClosedRange<Int64> { now - 3600...now + 7 * day }
}
