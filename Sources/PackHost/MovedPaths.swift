import PackFormat

/// Paths that exist only because faults redirect to them: the requested pack is also served there.
struct MovedPaths: Sendable {
    /// A resource, and the path at which the site lists it.
    struct Place: Sendable {
        let resource: Resource
        let path: String
    }

    private let places: [[UInt8]: Place]
    /// The targets of the redirects that made each path.
    private let targets: [[UInt8]: Set<String>]

    init(_ faults: [HostFault], in index: SiteIndex) {
        var places: [[UInt8]: Place] = [:]
        var targets: [[UInt8]: Set<String>] = [:]
        // All paths of each resource, by its listed one: a relative redirect may start at any of them.
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

    /// The resource at exactly this path, whose escapes are decoded.
    subscript(path: [UInt8]) -> Place? { places[path] }

    /// Whether `action` is a redirect that made this path, whose escapes are decoded.
    func isMade(_ path: [UInt8], by action: HostFault.Action) -> Bool {
        guard case .redirect(let target, _, _) = action else { return false }
        return targets[path]?.contains(target) == true
    }

    /// The path of a relative reference, RFC 3986 section 4.2: from the root, or relative to the request's path.
    ///
    /// Nil for an address with a host, for a query or a fragment alone, and for a path with dots as segments.
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
    /// The one resource that a fault means by this name, with its path; nil if it means none or several.
    ///
    /// A fault for `*` means the pack, if the site has exactly one.
    fileprivate func place(named name: String) -> MovedPaths.Place? {
        let named = places.filter { name == "*" ? $0.resource.isPack : $0.resource.isCalled(name) }
        return named.count == 1 ? named[0] : nil
    }
}

/// The pages that faults redirect to, as captive portals do.
enum PortalPages {
    /// The texts of the pages, by their paths.
    static func texts(_ faults: [HostFault]) -> [String: String] {
        faults.reduce(into: [:]) { if case .portal(let text) = $1.action { $0[path(of: text)] = text } }
    }

    /// The path of the page with this text: each text has its own.
    static func path(of text: String) -> String { "/sign-in/\(Digest.sha256Hex(Array(text.utf8)).prefix(16))" }
}
