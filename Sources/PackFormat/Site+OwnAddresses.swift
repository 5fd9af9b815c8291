extension Site {
    /// The site as a single host serves it: addresses in its manifest that name a host become paths of this one.
    ///
    /// An export of Xcode for a host of your own has absolute addresses, which would lead clients there. Everything
    /// else in the manifest stays, except data and dates, which no reader of packs uses. A manifest without such
    /// addresses keeps its bytes.
    package func withOwnAddresses() throws(PackFormatError) -> Site {
        if AssetPackManifest.isDownloadManifest(manifest) { return try withOwnDownloadAddresses() }
        guard case .dictionary(var top) = try PropertyList(manifest, what: "the asset pack manifest"),
            case .array(let resources)? = top["resources"]
        else { return self }
        let known = packs.map { ($0.identifier, $0.path) } + missing.map { ($0.identifier, $0.path) }
        let paths = Dictionary(known) { first, _ in first }
        var isChanged = false
        top["resources"] = .array(
            resources.map { resource in
                guard case .dictionary(var entries) = resource, case .string(let url)? = entries["URL"],
                    case .string(let key)? = entries["bundleKey"], let path = paths[key],
                    url.firstRange(of: "://") != nil
                else { return resource }
                entries["URL"] = .string(path)
                isChanged = true
                return .dictionary(entries)
            })
        guard isChanged else { return self }
        var site = self
        site.manifest = (PropertyList.dictionary(top).writable ?? .dictionary([:])).binary
        return site
    }

    /// The same for a download manifest of Background Assets; everything else in it stays.
    private func withOwnDownloadAddresses() throws(PackFormatError) -> Site {
        let known = packs.map { ($0.identifier, $0.path) } + missing.map { ($0.identifier, $0.path) }
        let paths = Dictionary(known) { first, _ in first }
        var site = self
        site.manifest = try AssetPackManifest.readdressed(manifest, paths: paths)
        return site
    }
}

extension PropertyList {
    /// The list without values that cannot be written: data, dates and identifiers; nil for such a value itself.
    fileprivate var writable: PropertyList? {
        switch self {
        case .other: nil
        case .array(let values): .array(values.compactMap(\.writable))
        case .dictionary(let values): .dictionary(values.compactMapValues(\.writable))
        case .string, .integer, .real, .boolean: self
        }
    }
}
