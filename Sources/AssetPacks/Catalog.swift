package import SystemPackage

/// Resources with their tags, from which packs are built.
package struct Catalog: Hashable, Sendable {
    /// A file and the tags that it has.
    package struct Resource: Hashable, Sendable {
        /// The path relative to the catalog's folder, with `/` between its parts.
        package var path: String
        /// Empty for a file that goes into the app's bundle instead of a pack.
        package var tags: Set<String>
        /// Bytes of the file.
        package var size: Int64
        /// The modification time, in nanoseconds since 1970.
        package var modified: Int64
        /// Whether it is part of an asset catalog, so that apps request it by its set's name, and tag tables do not
        /// list it.
        package var isOfAssetCatalog = false
    }

    /// The app's bundle identifier, the first part of every pack's name.
    package var bundleID: String
    /// The folder of the files.
    package var root: FilePath
    /// Every file of the folder, sorted by path.
    package var resources: [Resource]
    /// Tags that are downloaded with the app (ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS).
    package var initialInstall: Set<String> = []
    /// Tags that are downloaded after it, in this order (ON_DEMAND_RESOURCES_PREFETCH_ORDER).
    package var prefetch: [String] = []
    /// The preservation priorities that the app sets for its tags, 0 to 1; packs do not contain them, but advice uses
    /// them.
    package var preservation: [String: Double] = [:]

    /// The tags of all resources, sorted.
    package var tags: [String] {
        resources.reduce(into: Set<String>()) { $0.formUnion($1.tags) }.sorted()
    }
}
