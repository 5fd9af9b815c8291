extension Limits {
    /// iOS 9 as launched: the default.
    package static let ios2015 = Limits(
        name: "ios-2015",
        source: "WWDC 2015 session 214",
        appBundle: 2_000_000_000,
        pack: 512_000_000,
        initialInstall: 2_000_000_000,
        initialAndPrefetched: 2_000_000_000,
        inUse: 2_000_000_000,
        hosted: 20_000_000_000,
        recommendedPack: 64_000_000,
        cellularInstall: 100_000_000
    )

    /// tvOS 9 as launched: a small app bundle, and nothing over a cellular network.
    package static let tvos2015 = Limits(
        name: "tvos-2015",
        source: "WWDC 2015 session 214",
        appBundle: 200_000_000,
        pack: 512_000_000,
        initialInstall: 2_000_000_000,
        initialAndPrefetched: 2_000_000_000,
        inUse: 2_000_000_000,
        hosted: 20_000_000_000,
        recommendedPack: 64_000_000
    )

    /// The On-Demand Resources Guide of 2017, with iOS's app bundle; that of tvOS may have 4 GB.
    package static let guide2017 = Limits(
        name: "guide-2017",
        source: "On-Demand Resources Guide, 2017",
        appBundle: 2_000_000_000,
        pack: 512_000_000,
        packCount: 1000,
        initialInstall: 2_000_000_000,
        initialAndPrefetched: 4_000_000_000,
        inUse: 2_000_000_000,
        hosted: 20_000_000_000,
        recommendedPack: 64_000_000
    )

    /// App Store Connect for systems before 18, with iOS's app bundle; that of tvOS may have 4 GB.
    package static let pre18 = Limits(
        name: "pre-18",
        source: "App Store Connect Help, systems before 18",
        appBundle: 2_000_000_000,
        pack: 512_000_000,
        packCount: 1000,
        initialAndPrefetched: 4_000_000_000,
        inUse: 2_000_000_000,
        hosted: 20_000_000_000
    )

    /// App Store Connect for iOS and iPadOS 18 and later.
    package static let ios18 = Limits(
        name: "ios-18",
        source: "App Store Connect Help, iOS and iPadOS 18",
        appBundle: 4_000_000_000,
        pack: 8_000_000_000,
        packCount: 1000,
        hosted: 70_000_000_000
    )

    /// App Store Connect for tvOS 18 and later.
    package static let tvos18 = Limits(
        name: "tvos-18",
        source: "App Store Connect Help, tvOS 18",
        appBundle: 4_000_000_000,
        pack: 512_000_000,
        packCount: 1000,
        initialAndPrefetched: 4_000_000_000,
        hosted: 20_000_000_000
    )

    /// Background Assets that Apple hosts, with compressed sizes.
    ///
    /// 200 packs is the limit in newer notes by others; App Store Connect Help says ``mostPacksByHelp``.
    package static let backgroundAssets = Limits(
        name: Delivery.backgroundAssets.rawValue,
        source: "App Store Connect Help, Apple-hosted asset packs",
        packCount: 200,
        hosted: 200_000_000_000
    )

    /// The limit of packs of Background Assets in App Store Connect Help.
    package static let mostPacksByHelp = 100

    /// Every set of limits that has a name, oldest first.
    package static let all: [Limits] = [.ios2015, .tvos2015, .guide2017, .pre18, .ios18, .tvos18, .backgroundAssets]

    /// The limits of this name, such as `ios-2015`, or nil.
    package static func named(_ name: String) -> Limits? {
        all.first { $0.name == name }
    }
}
