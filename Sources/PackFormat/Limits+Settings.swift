extension Limits {
    /// A limit that can be set on its own, with its name in scenarios and on command lines.
    package enum Setting: String, CaseIterable, Sendable {
        case appBundle = "app-bundle"
        case pack
        case packCount = "pack-count"
        case initialInstall = "initial-install"
        case initialAndPrefetched = "initial-and-prefetched"
        case inUse = "in-use"
        case hosted
        case recommendedPack = "recommended-pack"
        case cellularInstall = "cellular-install"
    }

    /// One limit: bytes, or a number of packs; nil means no limit.
    package subscript(setting: Setting) -> Int64? {
        get {
            switch setting {
            case .appBundle: appBundle
            case .pack: pack
            case .packCount: packCount.map(Int64.init)
            case .initialInstall: initialInstall
            case .initialAndPrefetched: initialAndPrefetched
            case .inUse: inUse
            case .hosted: hosted
            case .recommendedPack: recommendedPack
            case .cellularInstall: cellularInstall
            }
        }
        set {
            switch setting {
            case .appBundle: appBundle = newValue
            case .pack: pack = newValue
            case .packCount: packCount = newValue.map { Int(clamping: $0) }
            case .initialInstall: initialInstall = newValue
            case .initialAndPrefetched: initialAndPrefetched = newValue
            case .inUse: inUse = newValue
            case .hosted: hosted = newValue
            case .recommendedPack: recommendedPack = newValue
            case .cellularInstall: cellularInstall = newValue
            }
        }
    }
}
