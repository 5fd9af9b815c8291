import Glibc
import PackFormat

/// A certificate authority that is made for one run and dies with it.
///
/// Its key never leaves the process's memory. Its certificate holds from an hour ago, since clocks differ, for 7 days.
package struct RunAuthority: Sendable {
    /// The authority's certificate as PEM, RFC 7468: what clients are to trust.
    package var certificatePEM: String { identity.certificatePEM }

    private let identity: Identity
    private let now: Int64

    /// A new authority; `now` in seconds since 1970-01-01, by default CLOCK_REALTIME.
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

    /// When a leaf holds: as long as its authority, or on purpose before or after now.
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
