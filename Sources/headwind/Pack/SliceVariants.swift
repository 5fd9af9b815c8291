import AssetPacks
import Documents
import PackFormat
import Wording

/// The variants of an app that stores make from one catalog: each idiom at each scale.
struct SliceVariants: Sendable {
    /// Variants that use the same files.
    struct Group: Sendable {
        /// The names of the variants, such as `iphone-3x`, in order.
        var names: [String]
        var catalog: AssetPacks.Catalog
        var report: BuildReport

        /// The folder of its packs, inside the common output folder.
        var folder: String { names[0] }

        /// The size of the files without a tag, in bytes.
        var bundledSize: Int64 { catalog.resources.filter(\.tags.isEmpty).map(\.size).reduce(0, +) }

        /// Its size for each limit, in bytes or packs.
        var sizes: [Limits.Setting: Int64] { Limits.sizes(report.packs, bundledSize: bundledSize) }
    }

    private(set) var groups: [Group] = []
    let limits: Limits

    /// Selects the files of each variant, and calls `make` to build or plan the packs of each distinct selection.
    ///
    /// If the limits' system has only one variant, there is one. Throws what ``CatalogOptions/source(_:limits:for:)``
    /// and `make` throw.
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

    /// The variants as if they were built; writes nothing.
    ///
    /// `appSize` is the size of the app in bytes, without the files that have no tag (default: 0).
    init(planning options: CatalogOptions, of folder: String, limits: Limits, appSize: Int64 = 0) throws {
        try self.init(options, of: folder, limits: limits) { catalog, _ in
            try AssetPackBuilder(limits: limits).plan(catalog, appSize: appSize)
        }
    }

    private static func slices(_ limits: Limits) -> [Slice] {
        if let only = limits.onlySlice { return [only] }
        return Slice.Idiom.allCases.flatMap { idiom in (1...3).map { Slice(idiom: idiom, scale: $0) } }
    }

    /// The size of the packs of all groups, in bytes.
    var bytes: Int64 { groups.compactMap { $0.sizes[.hosted] }.reduce(0, +) }

    /// Exceeded limits and advice, with the variant that each concerns: first each group, then all together.
    var findings: [(variant: String, advice: Advice)] {
        var findings = groups.flatMap { group in
            (group.report.findings.map { Advice($0) } + group.report.advice).map { (variant: group.folder, advice: $0) }
        }
        if let over = limits.findingOverAllSlices(bytes) { findings.append(("all slices", Advice(over))) }
        return findings
    }

    /// The limits with a column in the table.
    private static let columns: [(title: String, setting: Limits.Setting)] = [
        ("PACKS", .packCount), ("LARGEST PACK", .pack), ("LARGEST TAG", .inUse), ("INITIAL", .initialInstall),
        ("AND PREFETCHED", .initialAndPrefetched), ("APP", .appBundle), ("ALL PACKS", .hosted),
    ]

    /// The sizes and limits, a line for each variant; a size over its limit has a `!`.
    var table: [String] {
        func text(_ value: Int64?, _ setting: Limits.Setting) -> String {
            value.map { setting == .packCount ? "\($0)" : PackText.size($0) } ?? "-"
        }
        func cell(_ value: Int64?, _ setting: Limits.Setting) -> String {
            let isOver = value ?? 0 > limits[setting] ?? .max
            return text(value, setting) + (isOver ? "!" : "")
        }
        var rows: [[String]] = [["VARIANT"] + Self.columns.map(\.title) + ["FOLDER"]]
        for group in groups {
            let sizes = group.sizes
            for name in group.names {
                rows.append([name] + Self.columns.map { cell(sizes[$0.setting], $0.setting) } + [group.folder])
            }
        }
        let blank = Array(repeating: "", count: Self.columns.count - 1)
        rows.append(["all slices"] + blank + [cell(bytes, .hosted), ""])
        rows.append(["at most"] + Self.columns.map { text(limits[$0.setting], $0.setting) } + [limits.name])
        return TextTable.lines(rows)
    }
}

extension SliceVariants.Group {
    /// The variants as `--format json` prints them, with their size for each limit, in bytes or packs.
    var json: JSONTree {
        let sizes = sizes.map { JSONTree.Member(key: $0.key.rawValue, value: .whole($0.value)) }
        return .object([
            "variants": .texts(names), "folder": .text(folder), "sizes": .object(sizes),
            "report": JSONTree(encoding: report),
        ])
    }
}
