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
        get { self[keyPath: setting.path] }
        set { self[keyPath: setting.path] = newValue }
    }
}

extension Limits.Setting {
    /// The member of ``Limits`` that has this limit.
    fileprivate var path: WritableKeyPath<Limits, Int64?> {
        switch self {
        case .appBundle: \.appBundle
        case .pack: \.pack
        case .packCount: \.packCount
        case .initialInstall: \.initialInstall
        case .initialAndPrefetched: \.initialAndPrefetched
        case .inUse: \.inUse
        case .hosted: \.hosted
        case .recommendedPack: \.recommendedPack
        case .cellularInstall: \.cellularInstall
        }
    }
}
