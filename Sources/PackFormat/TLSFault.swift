/// A deliberate fault of a TLS host.
package enum TLSFault: String, CaseIterable, Sendable {
    /// Its certificate was valid until yesterday.
    case expired
    /// Its certificate is valid from tomorrow on.
    case notYetValid = "not-yet-valid"
    /// Its certificate is for `wrong.headwind.invalid`.
    case wrongName = "wrong-name"
    /// Its certificate was signed by an unknown authority.
    case unknownAuthority = "unknown-authority"
    /// The connection ends when the host should answer the client's first message.
    case cutHandshake = "cut-handshake"
}
