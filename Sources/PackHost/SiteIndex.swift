import PackFormat

/// A site by its paths.
///
/// What is not listed is not there: no path is ever looked up in a file system.
struct SiteIndex: Sendable {
    private let resources: [[UInt8]: Resource]

    /// Throws ``HostError`` where two paths are one, or one is no path.
    init(_ site: Site) throws(HostError) {
        var listed = [(site.manifestPath, Resource("manifest", name: Site.manifestName, plist: site.manifest))]
        if let table = site.tagTable {
            listed.append((site.tagTablePath, Resource("tag-table", name: Site.tagTableName, plist: table)))
        }
        listed += site.packs.map { ($0.path, Resource($0)) }
        var resources: [[UInt8]: Resource] = [:]
        for (path, resource) in listed {
            guard path.hasPrefix("/"), let decoded = RequestTarget.decoded(path) else {
                throw .malformedPath(path)
            }
            guard resources.updateValue(resource, forKey: decoded) == nil else { throw .duplicatePath(path) }
        }
        self.resources = resources
    }

    /// What lies at exactly this path, its escapes decoded.
    subscript(path: [UInt8]) -> Resource? { resources[path] }
}
