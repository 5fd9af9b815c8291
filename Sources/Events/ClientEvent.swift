import Documents

/// An event that a client reports: one line of its stream, one row of `events.jsonl`.
///
/// This is the only declaration of a client's events. The properties are the members of a line, with the same names and
/// in the order in which they are written. `docs/reference/events.md` shows them and the kinds with the descriptions
/// here.
package struct ClientEvent: Hashable, Sendable, Codable {
    /// The version of this format.
    package static let version = 1

    /// The kinds of events.
    ///
    /// Each description names the event's members, and then says what has happened.
    package enum Kind: String, CaseIterable, Sendable {
        // MARK: Requests

        /// `id`, `tags`, `priority`, and `prefetch` (true) if the system began it: a request begins.
        case request
        /// `id`, `fraction`, `completed`, `total`: the download has progressed.
        ///
        /// It is reported once at the beginning, then at most 20 times a second, and once at the end.
        case progress
        /// `id`: the request was called back without an error: its packs are stored and pinned.
        case available
        /// `id`, `domain`, `code`, `class`, `message`, and `underlying` if there is an underlying cause: the request was
        /// called back with an error.
        case error
        /// `id`: the app ended the request, or released it: its packs may be purged.
        case ended
        /// `id`, `tags`, `available`: the app asked whether the packs are available.
        ///
        /// If they are, the lines before report the request as begun and available.
        case conditional
        /// `id`: the app pauses the request's transfer.
        case paused
        /// `id`: the app resumes the request's transfer.
        case resumed
        /// `id`, `priority`: the app changed the request's priority.
        case priority
        /// `id`, `rule`, `message`: the app made a call that is not allowed in the request's state. The call was
        /// ignored.
        ///
        /// Apple's class raises an exception.
        case misuse

        // MARK: Packs

        /// `pack`, `url`, `from`, `try`: the client requests the file from byte `from` on.
        ///
        /// It is reported when nothing delays the download any more.
        case fetch
        /// `pack`, `status`, `from`, and `length` if the host sent it: the head of the response has arrived.
        ///
        /// `length` is that of the body, `from` is the first byte of the range.
        case response
        /// `pack`, `bytes`: a response has ended, in order or not.
        ///
        /// `bytes` counts the bytes of its body that arrived, used or not.
        case received
        /// `pack`, `after`, `reason`: the try failed. The next one follows in `after` seconds.
        case retry
        /// `pack`, `bytes`: the whole file has arrived. Its size, digest and archive are correct.
        case verified
        /// `pack`, `bytes`: the pack is in the store, on the disk and visible; `bytes` is the size of its files.
        case stored
        /// `pack`, `bytes`, and `bundle` if it belonged to another bundle on the device: the pack was removed to make
        /// room.
        case purged
        /// `pack`, `bytes`: the app, or an update without it, removed an asset pack.
        case removed

        // MARK: The app's life

        /// The app is installed. A `request` with the id `install` follows.
        case install
        /// `bundle` if there is one: the app starts.
        case launch
        /// The app has ended. Nothing is pinned any more.
        case quit
        /// `version`: the app is replaced.
        ///
        /// A `request` follows, with the id `update`, then `update-2` …
        case update
        /// `id`: a person waits for the request's packs from now on.
        case use
        /// `id`, `packs`, `waited`: the wait is over. The app uses these packs.
        case used
        /// `radio`: the device has changed its network. `start` has the first one.
        case radio
        /// `tags`: the content of these tags was bought.
        case buy
        /// `tags`, `priority`: the app set the preservation priority of these tags. A higher one is purged later.
        case preserve

        // MARK: The device and the process

        /// `client`, `pid`, `manifest`, `store`, `limits`, `radio`, and `bundle` if there is one: the client begins.
        ///
        /// It is always the first line.
        case start
        /// `stored`, `inUse`, `peak`: the stored or the pinned bytes have changed.
        case usage
        /// `bytes`: other data on the device, such as photos, took this space.
        case fill
        /// `bytes`: the system asks for this space to be freed from the device's packs.
        case purge
        /// `needed`, `freed`, and `missing` if that was not enough: packs or partial downloads were removed to make room.
        ///
        /// `purged` names the packs. Only this line counts partial downloads that no request needs. After a
        /// `fill` or a `purge` it is reported even if nothing could be removed.
        case room
        /// `name`: the app was asked to free resources.
        ///
        /// Its own request, or one of another process, found no space, or the system needs space:
        /// `NSBundleResourceRequestLowDiskSpaceNotification`. The system purges packs afterwards.
        case notification
        /// `status`: the client ends with this status.
        ///
        /// It is always the last line. If it is missing, the client was killed.
        case exit
    }

    /// The members of a `progress` event by which a page draws it.
    package enum ProgressCodingKeys: CodingKey { case id, fraction, total }

    /// The underlying cause of an error.
    package struct Cause: Hashable, Sendable, Codable {
        /// The domain of the code: `libcurl`, `NSPOSIXErrorDomain`.
        package var domain: String
        package var code: Int
        package var message: String

        package init(domain: String, code: Int, message: String) {
            (self.domain, self.code, self.message) = (domain, code, message)
        }
    }

    /// The version of this form: 1.
    package var v = version
    /// When it happened, in nanoseconds of CLOCK_MONOTONIC; it never decreases from line to line.
    package var t: Int64
    /// What happened; it can be a word that this version does not know.
    package var event: String
    /// The request's name.
    package var id: String?
    /// Tags, sorted.
    package var tags: [String]?
    /// The loading priority of a request, or the preservation priority of a pack.
    package var priority: LoadingPriority?
    /// Whether the system began the request, to prefetch.
    package var prefetch: Bool?
    /// The displayed progress: 0 to 1.
    package var fraction: Double?
    /// Bytes of the request's files that have arrived.
    package var completed: Int64?
    /// The total size of the request's files, in bytes.
    package var total: Int64?
    /// Whether all packs are available.
    package var available: Bool?
    /// The client's name.
    package var client: String?
    /// The client's process ID.
    package var pid: Int?
    /// The manifest's address, or its path.
    package var manifest: String?
    /// The path of the device's store.
    package var store: String?
    /// The pack by its identifier in the manifest, or `manifest` or `tag-table`.
    package var pack: String?
    /// The file's address, without user, password, query and fragment.
    package var url: String?
    /// The status of the response, or the client's exit status.
    package var status: Int?
    /// The length of the response's body, as the host states it.
    package var length: Int64?
    /// The first byte that is requested or sent.
    package var from: Int64?
    /// The number of the try for this file, from 1.
    package var `try`: Int?
    /// A number of bytes.
    package var bytes: Int64?
    /// The app's bundle.
    package var bundle: String?
    /// The name of the device's limits.
    package var limits: String?
    /// The device's network: `wifi`, `cellular` or `none`.
    package var radio: String?
    /// Seconds until the next try.
    package var after: Double?
    /// Why the try failed.
    package var reason: String?
    /// The number of the app's version; the first update is 2.
    package var version: Int?
    /// Packs by their identifiers.
    package var packs: [String]?
    /// Seconds from `use` until all packs were available.
    package var waited: Double?
    /// The rule that the call breaks: `begun-twice`, `begun-after-end`, `ended-before-begin`, `ended-before-callback` or
    /// `ended-twice`.
    package var rule: String?
    /// The domain of the code; see the client's errors.
    package var domain: String?
    /// The error's number.
    package var code: Int?
    /// The kind of message that an app shows: `network`, `storage` or `unexpected`.
    package var `class`: String?
    /// The action that failed, its object, the system's message, and what to try.
    package var message: String?
    /// The underlying cause, with its own `domain`, `code` and `message`.
    package var underlying: Cause?
    /// The notification's name.
    package var name: String?
    /// Bytes that were needed.
    package var needed: Int64?
    /// Bytes that were freed.
    package var freed: Int64?
    /// Bytes that were needed, and that nothing could be removed for.
    package var missing: Int64?
    /// Bytes of packs and of partial downloads.
    package var stored: Int64?
    /// Bytes that requests have pinned.
    package var inUse: Int64?
    /// The most bytes that were stored at once since the start, including a pack that is being unpacked and its
    /// download.
    package var peak: Int64?
    /// The number of the line, from 1, where the client numbers its lines.
    package var n: Int?

    /// An event of this kind, with the members that `fill` sets.
    package init(_ kind: Kind, at time: Int64 = 0, _ fill: (inout Self) -> Void = { _ in }) {
        (t, event) = (time, kind.rawValue)
        fill(&self)
    }

    /// What happened; nil for an event that this version does not know.
    package var kind: Kind? { Kind(rawValue: event) }

    /// Whether the event is about a pack, and not about the manifest or tag table.
    package var isAboutPack: Bool { pack != "manifest" && pack != "tag-table" }

    /// The event as one line of JSON, with a line feed.
    package var line: String { JSONTree(encoding: self).line + "\n" }
}
