import PackFormat

/// Paths to which faults redirect, and at which nothing lies but for that: the pack that was asked for lies there then.
struct MovedPaths: Sendable {
    /// What lies at a path, and the path at which the site lists it.
    struct Place: Sendable {
        let resource: Resource
        let path: String
    }

    private let places: [[UInt8]: Place]
    /// The targets of redirects by the paths that they made.
    private let targets: [[UInt8]: Set<String>]

    init(_ faults: [HostFault], in index: SiteIndex) {
        var places: [[UInt8]: Place] = [:]
        var targets: [[UInt8]: Set<String>] = [:]
        // The paths of each resource, by the one at which it is listed: a relative path leads on from any of them.
        var paths: [String: [String]] = [:]
        var relative: [(path: String, target: String, place: Place)] = []
        for fault in faults {
            guard case .redirect(let target, _, _) = fault.action, let path = Self.path(of: target),
                let place = index.place(named: fault.pack)
            else { continue }
            guard path.hasPrefix("/") else {
                relative.append((path, target, place))
                continue
            }
            guard let decoded = RequestTarget.decoded(path), index[decoded] == nil else { continue }
            places[decoded] = place
            targets[decoded, default: []].insert(target)
            paths[place.path, default: []].append(path)
        }
        for (path, target, place) in relative {
            for base in [place.path] + paths[place.path, default: []] {
                let whole = base.prefix(through: base.lastIndex(of: "/") ?? base.startIndex) + path
                guard let decoded = RequestTarget.decoded(String(whole)), index[decoded] == nil, places[decoded] == nil
                else { continue }
                places[decoded] = place
                targets[decoded] = [target]
            }
        }
        (self.places, self.targets) = (places, targets)
    }

    /// What lies at exactly this path, its escapes decoded.
    subscript(path: [UInt8]) -> Place? { places[path] }

    /// Whether it is a redirect that made this path, its escapes decoded.
    func isMade(_ path: [UInt8], by action: HostFault.Action) -> Bool {
        guard case .redirect(let target, _, _) = action else { return false }
        return targets[path]?.contains(target) == true
    }

    /// The path of a relative reference, RFC 3986 section 4.2: from the root, or from where the request went; nil of an address
    /// with a host, of a query or a fragment alone, and of a path with dots for segments.
    private static func path(of target: String) -> String? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = segments.first, !path.isEmpty, !path.hasPrefix("//"), !first.contains(":"),
            !segments.contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        return String(path)
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
