import Wording

/// The header field by which a client shows that it has bought the resources of a tag.
package enum PurchaseReceipt {
    /// The field's name; a request has the field once for each tag.
    package static let field = "Headwind-Receipt"

    /// The field's value: the tag, with its bytes percent-encoded except letters, digits and `- _ . ~` (RFC 3986 §2.3).
    package static func value(for tag: String) -> String { PercentEncoding.encoded(tag) }
}
