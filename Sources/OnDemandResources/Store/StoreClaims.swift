/// What one process holds in a store, as others see it.
struct StoreClaims: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
        case version, process, held, inUse, sizes, promises
    }

    /// Version of this form.
    var version = 1
    /// The process.
    var process: Int
    /// Packs that requests hold or wait for: nobody may purge them.
    var held: Set<String> = []
    /// Packs that requests hold.
    var inUse: Set<String> = []
    /// Bytes that packs which requests hold or wait for count as in use.
    var sizes: [String: Int64] = [:]
    /// Room that is promised to downloads, in bytes.
    var promises: [String: Int64] = [:]
    /// Whether nobody could read what the process, which lives, holds: then it may be anything.
    var mayHoldAll = false
}
