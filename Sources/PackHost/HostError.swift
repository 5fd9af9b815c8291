package import SystemPackage

/// Why a host could not be started.
package enum HostError: Error, Hashable, CustomStringConvertible {
    /// The socket could not be bound or listened on.
    case cannotListen(on: String, Errno)
    /// Two things are served at one path.
    case duplicatePath(String)
    /// A path of the site is no URL path.
    case malformedPath(String)
    /// A scripted fault cannot be played.
    case impossibleFault(String, reason: String)

    package var description: String {
        switch self {
        case .cannotListen(let place, let error):
            "Could not listen on \(place): \(error). Choose another address, or port 0 for a free one."
        case .duplicatePath(let path):
            "Could not serve the site: two of its files have the path '\(path)'. Give each pack its own path."
        case .malformedPath(let path):
            "Could not serve the site: '\(path)' is not a URL path. Begin it with '/' and percent-encode special characters."
        case .impossibleFault(let fault, let reason):
            "Could not play the fault '\(fault)': \(reason)."
        }
    }
}
