/// What is known of a file before it is downloaded.
struct Expectation: Hashable, Sendable {
    /// Its size in bytes; nil where the manifest does not say.
    var size: Int64?
    /// Its SHA-256 in lower-case hex; nil where the manifest does not say.
    var sha256: String?
    /// The most that is taken, in bytes, where the size is not known; nil for no limit.
    var limit: Int64?
}
