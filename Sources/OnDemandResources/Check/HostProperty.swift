/// What a server must, or should, do to host packs.
package enum HostProperty: String, Codable, CaseIterable, Sendable {
    /// https with TLS 1.2 or later, which App Transport Security asks for.
    case tls
    /// A certificate that is valid, for this name, with a chain to a trusted authority.
    case certificate
    /// The manifest is there, and is one.
    case manifest
    /// The tag table is beside it.
    case tagTable = "tag-table"
    /// A pack is there.
    case reachable
    /// HEAD, ranges and the manifest say the same size.
    case size
    /// The rest of a file by `first-`, and a part by `first-last`: 206 with what was asked for.
    case range
    /// The end of a file by `-length`.
    case suffixRange = "suffix-range"
    /// A range behind the end: 416.
    case rangeBeyondEnd = "range-beyond-end"
    /// A range of a file that has changed is answered with the whole.
    case ifRange = "if-range"
    /// A strong ETag that stays the same.
    case etag
    /// Files come as they are.
    case compression
    /// How many redirects lead to a pack.
    case redirects
}
