import Foundation
import Synchronization

/// Which loader serves which bundle, by the bundle's path.
///
/// Bundles of Foundation's cannot carry it themselves.
enum BundleRegistry {
    private static let loaders = Mutex<[String: ResourceLoader]>([:])

    static func loader(of bundle: Bundle) -> ResourceLoader? { loaders.withLock { $0[bundle.bundlePath] } }

    /// Sets a bundle's loader; returns the one before.
    static func set(_ loader: ResourceLoader?, of bundle: Bundle) -> ResourceLoader? {
        loaders.withLock { loaders in
            defer { loaders[bundle.bundlePath] = loader }
            return loaders[bundle.bundlePath]
        }
    }
}
