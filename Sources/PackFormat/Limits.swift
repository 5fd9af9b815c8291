/// The sizes that an operating system and its store allow, as data.
///
/// Sizes are bytes, sliced and uncompressed unless said otherwise. 1 GB is 1,000,000,000 bytes. A size that equals the
/// limit is allowed. nil means that there is no such limit, or that none is known.
package struct Limits: Hashable, Sendable {
    /// The name by which ``named(_:)`` finds it.
    package var name: String
    /// Where the numbers are from, for people.
    package var source: String
    /// The app bundle: all resources without a tag.
    package var appBundle: Int64?
    /// One pack.
    package var pack: Int64?
    /// The number of packs.
    package var packCount: Int64?
    /// All resources of the initial-install tags.
    package var initialInstall: Int64?
    /// All resources of the initial-install and prefetched tags together.
    package var initialAndPrefetched: Int64?
    /// All packs in use at once, each counted once.
    package var inUse: Int64?
    /// All packs on the host.
    package var hosted: Int64?
    /// The recommended size of a pack; a larger pack is a warning, not an error.
    package var recommendedPack: Int64?
    /// The size that is installed over a cellular network without asking, including initial-install tags.
    ///
    /// More is a warning.
    package var cellularInstall: Int64?
}

extension Limits {
    /// Limits of this name that limit nothing.
    package init(unlimited name: String) { self.init(name: name, source: "unknown") }

    /// Why a text cannot change a limit.
    package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Changes one limit by a text such as `in-use=1000000`, or `pack=none` for no limit.
    ///
    /// Values are bytes, or a number of packs for `pack-count`. Throws for an unknown name, and for a value that is
    /// neither `none` nor a number from 0.
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
