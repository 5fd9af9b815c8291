package import SystemPackage

/// The catalogs that come with Headwind, by their names in scenarios.
package enum BuiltInCatalog: String, CaseIterable, Sendable {
    /// Pictures of coloured shapes; see ``SeedCatalog``.
    case shapes
    /// A game of six levels; see ``AdventureCatalog``.
    case adventure
    /// The same game, updated.
    case adventure2 = "adventure-2"
    /// An app whose initial install has 50, 30 and 60 MB.
    case threeParts = "three-parts"
    /// One film of 4 MB; see ``FilmCatalog``.
    case film

    /// Writes the catalog's files below `folder`, always the same ones; throws where they cannot be written.
    package func write(to folder: FilePath) throws -> Catalog {
        switch self {
        case .shapes: try SeedCatalog.write(to: folder)
        case .adventure: try AdventureCatalog(edition: 1).write(to: folder)
        case .adventure2: try AdventureCatalog(edition: 2).write(to: folder)
        case .threeParts: try ThreePartsCatalog.write(to: folder)
        case .film: try FilmCatalog.write(to: folder)
        }
    }
}
