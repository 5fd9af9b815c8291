/// The sizes that an operating system and its store allow, as data.
///
/// Sizes are bytes, sliced and uncompressed unless said otherwise. 1 GB is 1,000,000,000 bytes; exactly the limit is
/// allowed, and one byte more is not. nil means that there is no such limit, or that none is known.
package struct Limits: Hashable, Sendable {
    /// The name by which ``named(_:)`` finds it.
    package var name: String
    /// Where the numbers are from, for people.
    package var source: String
    /// The app bundle: what has no tag.
    package var appBundle: Int64?
    /// One pack.
    package var pack: Int64?
    /// How many packs there may be.
    package var packCount: Int?
    /// All resources of the initial-install tags.
    package var initialInstall: Int64?
    /// All resources of the initial-install and prefetched tags together.
    package var initialAndPrefetched: Int64?
    /// All packs in use at once, each counted once.
    package var inUse: Int64?
    /// All packs on the host.
    package var hosted: Int64?
    /// The size of a pack that is recommended, over which there is a warning and no error.
    package var recommendedPack: Int64?
    /// What is installed over a cellular network without asking, initial-install tags included: a warning.
    package var cellularInstall: Int64?

    /// Limits of one's own; what is not said is unlimited.
    package init(
        name: String,
        source: String,
        appBundle: Int64? = nil,
        pack: Int64? = nil,
        packCount: Int? = nil,
        initialInstall: Int64? = nil,
        initialAndPrefetched: Int64? = nil,
        inUse: Int64? = nil,
        hosted: Int64? = nil,
        recommendedPack: Int64? = nil,
        cellularInstall: Int64? = nil
    ) {
        self.name = name
        self.source = source
        self.appBundle = appBundle
        self.pack = pack
        self.packCount = packCount
        self.initialInstall = initialInstall
        self.initialAndPrefetched = initialAndPrefetched
        self.inUse = inUse
        self.hosted = hosted
        self.recommendedPack = recommendedPack
        self.cellularInstall = cellularInstall
    }
}

extension Limits {
    /// Why a text changes no limit.
    package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Changes one limit as a text says it: `in-use=1000000`, or `pack=none` for no limit.
    ///
    /// Sizes are bytes. Throws for a name that no limit has, and for a value that is no number.
    package mutating func change(_ text: String) throws(TextError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let setting = Setting(rawValue: parts[0]), parts.count == 2 else {
            let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw TextError(description: "'\(text)' does not have the form name=bytes. Names: \(names).")
        }
        let value = Int64(parts[1])
        guard parts[1] == "none" || value ?? -1 >= 0 else {
            throw TextError(description: "'\(text)': '\(parts[1])' is neither a number of bytes nor 'none'.")
        }
        self[setting] = value
    }
}
