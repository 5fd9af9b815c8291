/// What one process wants of a store, as others see it.
struct StoreClaims: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
        case version, process, wanted, pinned, sizes, promises
    }

    /// Version of this form.
    var version = 1
    /// The process.
    var process: Int
    /// Packs that requests have pinned or wait for: nobody may purge them.
    var wanted: Set<String> = []
    /// Packs that requests have pinned: their files stay as they are.
    var pinned: Set<String> = []
    /// Bytes that wanted packs count as in use.
    var sizes: [String: Int64] = [:]
    /// Room that is promised to downloads, in bytes.
    var promises: [String: Int64] = [:]
    /// Whether nobody could read what the process, which lives, has pinned: then it may be anything.
    var mayPinAll = false
}
