import PackFormat

/// Paths to which faults redirect, and at which nothing lies but for that: the pack that was asked for lies there then.
struct MovedPaths: Sendable {
    /// What lies at a path, and the path at which the site lists it.
    struct Place: Sendable {
        let resource: Resource
        let path: String
    }

    private let places: [[UInt8]: Place]

    init(_ faults: [HostFault], in index: SiteIndex) {
        var places: [[UInt8]: Place] = [:]
        for fault in faults {
            guard case .redirect(let target, _, _) = fault.action, let path = Self.path(of: target),
                let decoded = RequestTarget.decoded(path), index[decoded] == nil,
                let place = index.place(named: fault.pack)
            else { continue }
            places[decoded] = place
        }
        self.places = places
    }

    /// What lies at exactly this path, its escapes decoded.
    subscript(path: [UInt8]) -> Place? { places[path] }

    /// Whether a redirect leads to this path, its escapes decoded.
    static func leads(_ target: String, to path: [UInt8]) -> Bool {
        self.path(of: target).flatMap(RequestTarget.decoded) == path
    }

    /// The path of a relative reference that has one from the root; nil of any other.
    private static func path(of target: String) -> String? {
        guard target.hasPrefix("/"), !target.hasPrefix("//") else { return nil }
        return String(target.prefix { $0 != "?" && $0 != "#" })
    }
}

extension SiteIndex {
    /// The one resource that a fault means by this name, with its path; nil where it means none, or several.
    ///
    /// A fault of anything means the pack, where the site has one.
    fileprivate func place(named name: String) -> MovedPaths.Place? {
        let named = places.filter { name == "*" ? $0.resource.isPack : $0.resource.isCalled(name) }
        return named.count == 1 ? named[0] : nil
    }
}
