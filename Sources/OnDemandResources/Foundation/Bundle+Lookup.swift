public import Foundation

// On Apple's platforms a bundle finds the on-demand resources that are in use by its ordinary lookups. Foundation's
// bundle on Linux can be neither taught that nor subclassed. These overloads take a name that is not optional, which
// makes them the better match for the calls that apps write: those find resources in use first, then the bundle's own.
extension Bundle {
    /// The address of a resource: one that a request holds, else one of the bundle's own.
    public func url(forResource name: String, withExtension type: String?) -> URL? {
        url(forResource: name, withExtension: type, subdirectory: nil)
    }

    /// The address of a resource in a folder: one that a request holds, else one of the bundle's own.
    public func url(forResource name: String, withExtension type: String?, subdirectory: String?) -> URL? {
        let own: String? = name
        return resourceInUse(name, type, subdirectory).map { URL(fileURLWithPath: $0) }
            ?? url(forResource: own, withExtension: type, subdirectory: subdirectory)
    }

    /// The path of a resource: one that a request holds, else one of the bundle's own.
    public func path(forResource name: String, ofType type: String?) -> String? {
        let own: String? = name
        return resourceInUse(name, type, nil) ?? path(forResource: own, ofType: type)
    }

    /// The path of a resource in a folder: one that a request holds, else one of the bundle's own.
    public func path(forResource name: String, ofType type: String?, inDirectory folder: String?) -> String? {
        let own: String? = name
        return resourceInUse(name, type, folder) ?? path(forResource: own, ofType: type, inDirectory: folder)
    }

    /// The first file of this name in the packs in use: in the folder itself, then in those of the user's languages.
    private func resourceInUse(_ name: String, _ type: String?, _ folder: String?) -> String? {
        guard let loader = BundleRegistry.loader(of: self) else { return nil }
        let file = if let type, !type.isEmpty { "\(name).\(type)" } else { name }
        let middle = folder.map { "/\($0)" } ?? ""
        let places = [""] + preferredLocalizations.map { "/\($0).lproj" } + ["/Base.lproj"]
        for pack in loader.foldersInUse {
            for place in places {
                let path = "\(pack)\(place)\(middle)/\(file)"
                if FileManager.default.fileExists(atPath: path) { return path }
            }
        }
        return nil
    }
}
