import AssetPacks
import PackFormat

/// The variants of an app that stores make of one catalog: each idiom at each scale.
struct SliceVariants: Sendable {
    /// Variants that take the same files.
    struct Group: Sendable {
        /// Such as `iphone-3x`, in their order.
        var names: [String]
        var catalog: AssetPacks.Catalog
        var report: BuildReport

        /// The folder of its packs, below that of all.
        var folder: String { names[0] }

        /// Bytes of the files that have no tag.
        var bundledSize: Int64 { catalog.resources.filter(\.tags.isEmpty).map(\.size).reduce(0, +) }

        /// What it has of each limit.
        var sizes: [Limits.Setting: Int64] { LimitCheck.sizes(report.packs, bundledSize: bundledSize) }
    }

    private(set) var groups: [Group] = []
    let limits: Limits

    /// Looks what each variant takes, and has `make` build, or plan, the packs of those that differ.
    ///
    /// Limits of a system that takes one thing alone leave one variant. Throws as ``CatalogOptions/source(_:limits:for:)``
    /// and `make` do.
    init(
        _ options: CatalogOptions, of folder: String, limits: Limits,
        make: (AssetPacks.Catalog, _ name: String) throws -> BuildReport
    ) throws {
        self.limits = limits
        var places: [[AssetPacks.Catalog.Resource]: Int] = [:]
        for slice in Self.slices(limits) {
            try Task.checkCancellation()
            let catalog = try options.source(folder, limits: limits, for: slice)
            let name = slice.text.replacing(" ", with: "-")
            if let place = places[catalog.resources] {
                groups[place].names.append(name)
            } else {
                places[catalog.resources] = groups.count
                groups.append(Group(names: [name], catalog: catalog, report: try make(catalog, name)))
            }
        }
    }

    /// The variants as if they were built: nothing is written.
    ///
    /// `appSize` is the bytes of the app beyond the files that have no tag.
    init(planning options: CatalogOptions, of folder: String, limits: Limits, appSize: Int64 = 0) throws {
        try self.init(options, of: folder, limits: limits) { catalog, _ in
            try AssetPackBuilder(limits: limits).plan(catalog, appSize: appSize)
        }
    }

    private static func slices(_ limits: Limits) -> [Slice] {
        if let only = limits.onlySlice { return [only] }
        return Slice.Idiom.allCases.flatMap { idiom in (1...3).map { Slice(idiom: idiom, scale: $0) } }
    }

    /// Bytes of the packs of all groups.
    var bytes: Int64 { groups.compactMap { $0.sizes[.hosted] }.reduce(0, +) }

    /// What is over a limit, or advised against, with the variant that it is said of: each group by itself, then all.
    var findings: [(variant: String, advice: Advice)] {
        var findings = groups.flatMap { group in
            (group.report.findings.map { Advice($0) } + group.report.advice).map { (variant: group.folder, advice: $0) }
        }
        if let over = LimitCheck(limits).overAllSlices(bytes) { findings.append(("all slices", Advice(over))) }
        return findings
    }

    /// The limits that a table has a column for.
    private static let columns: [(title: String, setting: Limits.Setting)] = [
        ("PACKS", .packCount), ("LARGEST PACK", .pack), ("LARGEST TAG", .inUse), ("INITIAL", .initialInstall),
        ("AND PREFETCHED", .initialAndPrefetched), ("APP", .appBundle), ("ALL PACKS", .hosted),
    ]

    /// Sizes against limits, a line for each variant; what is over its limit has a `!`.
    var table: [String] {
        func text(_ value: Int64?, _ setting: Limits.Setting) -> String {
            value.map { setting == .packCount ? "\($0)" : PackText.size($0) } ?? "-"
        }
        func cell(_ value: Int64?, _ setting: Limits.Setting) -> String {
            let isOver = value ?? 0 > limits[setting] ?? .max
            return text(value, setting) + (isOver ? "!" : "")
        }
        var rows: [[String]] = []
        for group in groups {
            let sizes = group.sizes
            for name in group.names {
                rows.append([name] + Self.columns.map { cell(sizes[$0.setting], $0.setting) } + [group.folder])
            }
        }
        let blank = Array(repeating: "", count: Self.columns.count - 1)
        rows.append(["all slices"] + blank + [cell(bytes, .hosted), ""])
        rows.append(["at most"] + Self.columns.map { text(limits[$0.setting], $0.setting) } + [limits.name])
        return PackText.table(["VARIANT"] + Self.columns.map(\.title) + ["FOLDER"], rows)
    }
}

/// A variant as `--format json` prints it.
struct SliceRecord: Encodable {
    let variants: [String]
    let folder: String
    /// What it has of each limit, in bytes, or packs.
    let sizes: [String: Int64]
    let report: BuildReport

    init(_ group: SliceVariants.Group) {
        (variants, folder, report) = (group.names, group.folder, group.report)
        sizes = Dictionary(uniqueKeysWithValues: group.sizes.map { ($0.key.rawValue, $0.value) })
    }
}
