/// The sizes that an operating system and its store allow, as data.
///
/// Sizes are bytes, sliced and uncompressed unless said otherwise. 1 GB is 1,000,000,000 bytes. A size that equals the
/// limit is allowed. nil means that there is no such limit, or that none is known.
package struct Limits: Hashable, Sendable {
    /// One limit, with its name in scenarios and on command lines.
    package enum Setting: String, CaseIterable, Sendable {
        /// The app bundle: all resources without a tag.
        case appBundle = "app-bundle"
        /// One pack.
        case pack
        /// The number of packs.
        case packCount = "pack-count"
        /// All resources of the initial-install tags.
        case initialInstall = "initial-install"
        /// All resources of the initial-install and prefetched tags together.
        case initialAndPrefetched = "initial-and-prefetched"
        /// All packs in use at once, each counted once.
        case inUse = "in-use"
        /// All packs on the host.
        case hosted
        /// The recommended size of a pack; a larger pack is a warning, not an error.
        case recommendedPack = "recommended-pack"
        /// The size that is installed over a cellular network without asking, including initial-install tags.
        ///
        /// More is a warning.
        case cellularInstall = "cellular-install"
    }

    /// The name by which ``named(_:)`` finds it.
    package var name: String
    /// Where the numbers are from, for people.
    package var source: String
    private var values: [Setting: Int64]

    /// Limits that limit nothing but what `values` has.
    package init(name: String, source: String = "unknown", _ values: [Setting: Int64] = [:]) {
        (self.name, self.source, self.values) = (name, source, values)
    }

    /// One limit: bytes, or a number of packs; nil means no limit.
    package subscript(setting: Setting) -> Int64? {
        get { values[setting] }
        set { values[setting] = newValue }
    }
}

extension Limits {
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

    /// iOS 9 as launched: the default for On-Demand Resources.
    package static let ios2015 = Limits(
        name: "ios-2015", source: "WWDC 2015 session 214",
        [
            .appBundle: 2_000_000_000, .pack: 512_000_000, .initialInstall: 2_000_000_000,
            .initialAndPrefetched: 2_000_000_000, .inUse: 2_000_000_000, .hosted: 20_000_000_000,
            .recommendedPack: 64_000_000, .cellularInstall: 100_000_000,
        ])

    /// tvOS 9 as launched: a small app bundle, and nothing over a cellular network.
    package static let tvos2015 = Limits(
        name: "tvos-2015", source: "WWDC 2015 session 214",
        [
            .appBundle: 200_000_000, .pack: 512_000_000, .initialInstall: 2_000_000_000,
            .initialAndPrefetched: 2_000_000_000, .inUse: 2_000_000_000, .hosted: 20_000_000_000,
            .recommendedPack: 64_000_000,
        ])

    /// The On-Demand Resources Guide of 2017, with iOS's app bundle; that of tvOS may have 4 GB.
    package static let guide2017 = Limits(
        name: "guide-2017", source: "On-Demand Resources Guide, 2017",
        [
            .appBundle: 2_000_000_000, .pack: 512_000_000, .packCount: 1000, .initialInstall: 2_000_000_000,
            .initialAndPrefetched: 4_000_000_000, .inUse: 2_000_000_000, .hosted: 20_000_000_000,
            .recommendedPack: 64_000_000,
        ])

    /// App Store Connect for systems before 18, with iOS's app bundle; that of tvOS may have 4 GB.
    package static let pre18 = Limits(
        name: "pre-18", source: "App Store Connect Help, systems before 18",
        [
            .appBundle: 2_000_000_000, .pack: 512_000_000, .packCount: 1000, .initialAndPrefetched: 4_000_000_000,
            .inUse: 2_000_000_000, .hosted: 20_000_000_000,
        ])

    /// App Store Connect for iOS and iPadOS 18 and later.
    package static let ios18 = Limits(
        name: "ios-18", source: "App Store Connect Help, iOS and iPadOS 18",
        [.appBundle: 4_000_000_000, .pack: 8_000_000_000, .packCount: 1000, .hosted: 70_000_000_000])

    /// App Store Connect for tvOS 18 and later.
    package static let tvos18 = Limits(
        name: "tvos-18", source: "App Store Connect Help, tvOS 18",
        [
            .appBundle: 4_000_000_000, .pack: 512_000_000, .packCount: 1000, .initialAndPrefetched: 4_000_000_000,
            .hosted: 20_000_000_000,
        ])

    /// Background Assets that Apple hosts, with compressed sizes.
    ///
    /// 200 packs is the limit in newer notes by others; App Store Connect Help says ``mostPacksByHelp``.
    package static let backgroundAssets = Limits(
        name: Delivery.backgroundAssets.rawValue, source: "App Store Connect Help, Apple-hosted asset packs",
        [.packCount: 200, .hosted: 200_000_000_000])

    /// The limit of packs of Background Assets in App Store Connect Help.
    package static let mostPacksByHelp = 100

    /// The limits that apply to packs of this system, unless others are chosen.
    package static func standard(for delivery: Delivery) -> Limits {
        delivery == .backgroundAssets ? .backgroundAssets : .ios2015
    }

    /// Every set of limits that has a name, oldest first.
    package static let all: [Limits] = [.ios2015, .tvos2015, .guide2017, .pre18, .ios18, .tvos18, .backgroundAssets]

    /// The limits of this name, such as `ios-2015`, or nil.
    package static func named(_ name: String) -> Limits? {
        all.first { $0.name == name }
    }
}
