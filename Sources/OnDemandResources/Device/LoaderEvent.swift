/// Something that happened in a loader, and when.
package struct LoaderEvent: Hashable, Sendable {
    /// What happened.
    ///
    /// Sizes are bytes; packs and requests are named by their identifiers.
    package enum Kind: Hashable, Sendable {
        case request(id: String, tags: [String], priority: LoadingPriority)
        case fetch(pack: String, url: String, from: Int64, number: Int)
        case response(pack: String, status: Int, length: Int64?, from: Int64)
        case progress(id: String, fraction: Double, completed: Int64, total: Int64)
        case received(pack: String, bytes: Int64)
        case retry(pack: String, after: Duration, reason: String)
        case verified(pack: String, bytes: Int64)
        case stored(pack: String, bytes: Int64)
        case available(id: String)
        case error(id: String, ResourceError)
        case ended(id: String)
        case conditional(id: String, tags: [String], isAvailable: Bool)
        case misuse(id: String, RequestMisuse)
        case paused(id: String)
        case resumed(id: String)
        case priority(id: String, LoadingPriority)
        /// With a bundle it was another one's on the same device.
        case purged(pack: String, bytes: Int64, bundle: String? = nil)
        case room(needed: Int64, freed: Int64)
        case notification(name: String)
        case usage(stored: Int64, inUse: Int64, peak: Int64)
        case app(AppStep)
    }

    /// Nanoseconds of CLOCK_MONOTONIC.
    package var time: Int64
    /// What happened.
    package var kind: Kind

    package init(time: Int64, kind: Kind) {
        self.time = time
        self.kind = kind
    }
}
