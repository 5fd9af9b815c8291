public import Foundation
import PackFormat
import ResourceLoading
import Synchronization

// On Apple's platforms a bundle's ordinary lookups find the on-demand resources in use. On Linux, Foundation's bundle
// can neither be changed in that way nor subclassed. These overloads take a name that is not optional, so the compiler
// prefers them for the calls that apps write. They search resources in use first, then the bundle's own.
extension Bundle {
    /// The address of a resource: one that a request pins, else one of the bundle's own.
    public func url(forResource name: String, withExtension type: String?) -> URL? {
        url(forResource: name, withExtension: type, subdirectory: nil)
    }

    /// The address of a resource in a folder: one that a request pins, else one of the bundle's own.
    public func url(forResource name: String, withExtension type: String?, subdirectory: String?) -> URL? {
        resourceInUse(name, type, subdirectory).map { URL(fileURLWithPath: $0) }
            ?? url(forResource: name as String?, withExtension: type, subdirectory: subdirectory)
    }

    /// The path of a resource: one that a request pins, else one of the bundle's own.
    public func path(forResource name: String, ofType type: String?) -> String? {
        resourceInUse(name, type, nil) ?? path(forResource: name as String?, ofType: type)
    }

    /// The path of a resource in a folder: one that a request pins, else one of the bundle's own.
    public func path(forResource name: String, ofType type: String?, inDirectory folder: String?) -> String? {
        resourceInUse(name, type, folder) ?? path(forResource: name as String?, ofType: type, inDirectory: folder)
    }

    /// The address of a resource for one language and, if given, a folder: one that a request pins, else the bundle's
    /// own.
    public func url(
        forResource name: String, withExtension type: String?, subdirectory: String?, localization: String?
    ) -> URL? {
        resourceInUse(name, type, subdirectory, localization).map { URL(fileURLWithPath: $0) }
            ?? url(
                forResource: name as String?, withExtension: type, subdirectory: subdirectory,
                localization: localization)
    }

    /// The path of a resource for one language and, if given, a folder: one that a request pins, else the bundle's own.
    public func path(
        forResource name: String, ofType type: String?, inDirectory folder: String?,
        forLocalization localization: String?
    ) -> String? {
        resourceInUse(name, type, folder, localization)
            ?? path(forResource: name as String?, ofType: type, inDirectory: folder, forLocalization: localization)
    }

    /// The addresses of all resources of a type in a folder: those that requests pin, then the bundle's own.
    public func urls(forResourcesWithExtension type: String, subdirectory: String?) -> [URL]? {
        // Foundation on Linux returns NSURLs.
        let own = urls(forResourcesWithExtension: type as String?, subdirectory: subdirectory)?.map { $0 as URL }
        let found = resourcesInUse(type, subdirectory).map { URL(fileURLWithPath: $0) }
        return found.isEmpty ? own : found + (own ?? [])
    }

    /// The paths of all resources of a type in a folder: those that requests pin, then the bundle's own.
    public func paths(forResourcesOfType type: String, inDirectory folder: String?) -> [String] {
        resourcesInUse(type, folder) + paths(forResourcesOfType: type as String?, inDirectory: folder)
    }

    /// Files at the root of a pack in use that are no resources: Headwind's note, and the pack's own `Info.plist`.
    private static let namesOfPacks: Set<String> = [StoreLayout.noteName, PackArchive.infoName]

    /// A folder to search, and whether it is the root of a pack.
    private typealias Place = (path: String, isRoot: Bool)

    /// The folders of the packs in use to search: the folder itself, then those of one language or of all the user's.
    private func foldersInUse(_ folder: String?, _ localization: String? = nil) -> [Place] {
        guard let loader = BundleRegistry.loader(of: self) else { return [] }
        let languages =
            localization.map { ["/\($0).lproj"] } ?? preferredLocalizations.map { "/\($0).lproj" } + ["/Base.lproj"]
        let middle = folder.map { "/\($0)" } ?? ""
        let parts = [""] + languages
        let isTop = folder?.isEmpty ?? true
        return loader.foldersInUse.flatMap { pack in
            parts.map { part -> Place in ("\(pack)\(part)\(middle)", isTop && part.isEmpty) }
        }
    }

    /// The path of the first file of this name in the packs in use.
    private func resourceInUse(
        _ name: String, _ type: String?, _ folder: String?, _ localization: String? = nil
    ) -> String? {
        let file = if let type, !type.isEmpty { "\(name).\(type)" } else { name }
        let isOfPack = Self.namesOfPacks.contains(file)
        let places = foldersInUse(folder, localization).filter { !($0.isRoot && isOfPack) }
        return places.lazy.map { "\($0.path)/\(file)" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The paths of all files of a type in the packs in use.
    private func resourcesInUse(_ type: String, _ folder: String?) -> [String] {
        foldersInUse(folder).flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            let own = place.isRoot ? Self.namesOfPacks : []
            return names.filter { $0.hasSuffix(".\(type)") && !own.contains($0) }.sorted()
                .map { "\(place.path)/\($0)" }
        }
    }
}

/// The loader of each bundle, by the bundle's path.
///
/// Foundation's bundles cannot hold it themselves.
enum BundleRegistry {
    private static let loaders = Mutex<[String: ResourceLoader]>([:])

    static func loader(of bundle: Bundle) -> ResourceLoader? { loaders.withLock { $0[bundle.bundlePath] } }

    /// Sets a bundle's loader; returns the previous one.
    static func set(_ loader: ResourceLoader?, of bundle: Bundle) -> ResourceLoader? {
        loaders.withLock { loaders in
            defer { loaders[bundle.bundlePath] = loader }
            return loaders[bundle.bundlePath]
        }
    }
}
