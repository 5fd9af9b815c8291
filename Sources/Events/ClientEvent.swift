import Documents

/// Something that a client tells of itself: one line of its stream, one row of `events.jsonl`.
///
/// This is the only declaration of a client's events. Its properties are the members of a line, by their names there and in
/// the order in which they are written. `docs/reference/events.md` shows them and the kinds as they are described here.
package struct ClientEvent: Hashable, Sendable, Codable {
    /// The version of this form.
    package static let version = 1

    /// What can happen.
    ///
    /// Each is described by the members that it has, and by what has happened.
    package enum Kind: String, CaseIterable, Sendable {
        // MARK: Requests

        /// `id`, `tags`, `priority`, and `prefetch` (true) where it is the system's own: the request was begun.
        case request
        /// `id`, `fraction`, `completed`, `total`: the download went on.
        ///
        /// It is told once at the beginning, then at most 20 times a second, and once at the end.
        case progress
        /// `id`: the request was called back: everything is there and pinned.
        case available
        /// `id`, `domain`, `code`, `class`, `message`, and `underlying` where there is a cause below: the request was called
        /// back with an error.
        case error
        /// `id`: the app ended the request, or let go of it: what it had pinned may be purged.
        case ended
        /// `id`, `tags`, `available`: the app asked whether everything is there.
        ///
        /// If it is, the request was begun and is available, which the lines before say.
        case conditional
        /// `id`: the app holds the request's transfer back.
        case paused
        /// `id`: the app goes on with the request's transfer.
        case resumed
        /// `id`, `priority`: the app gave the request another priority.
        case priority
        /// `id`, `rule`, `message`: the app made a call that the order of a request's calls forbids, and nothing was done.
        ///
        /// Apple's class raises an exception there.
        case misuse

        // MARK: Packs

        /// `pack`, `url`, `from`, `try`: the host is asked for everything from byte `from` on.
        ///
        /// It is told once nothing holds the download back.
        case fetch
        /// `pack`, `status`, `from`, and `length` where the host said it: the head of the host's answer is there.
        ///
        /// `length` is that of its body, `from` where its range begins.
        case response
        /// `pack`, `bytes`: a response is over, in order or not.
        ///
        /// So many bytes of its body came, whether they were of use or not.
        case received
        /// `pack`, `after`, `reason`: the try failed, and another follows in `after` seconds.
        case retry
        /// `pack`, `bytes`: all bytes of the file are there, and its size, digest and archive are right.
        case verified
        /// `pack`, `bytes`: the pack is in the store, on the disk and visible; `bytes` is the size of its files.
        case stored
        /// `pack`, `bytes`, and `bundle` where it was another bundle's on the same device: the pack was removed to make room.
        case purged
        /// `pack`, `bytes`: the app, or an update that does not have it any more, removed a pack of Background Assets.
        case removed

        // MARK: The app's life

        /// The app is installed: a `request` of the id `install` follows.
        case install
        /// `bundle` where there is one: the app starts.
        case launch
        /// The app has ended, and with it whatever it had pinned.
        case quit
        /// `version`: the app is replaced.
        ///
        /// A `request` follows, whose `id` is `update` or, later, `update-2` …
        case update
        /// `id`: somebody needs what the request asked for, from now on.
        case use
        /// `id`, `packs`, `waited`: it is there, and used: these packs.
        case used
        /// `radio`: the device has another network; that at the start is in `start`.
        case radio
        /// `tags`: what these tags have was bought.
        case buy
        /// `tags`, `priority`: packs of these tags are purged the later, the higher it is.
        case preserve

        // MARK: The device and the process

        /// `client`, `pid`, `manifest`, `store`, `limits`, `radio`, and `bundle` where there is one: the client begins.
        ///
        /// It is always the first line.
        case start
        /// `stored`, `inUse`, `peak`: what is stored or pinned has changed.
        case usage
        /// `bytes`: something else on the device, such as photos, took so many bytes of its room.
        case fill
        /// `bytes`: the system wants so many bytes of the device's packs to become free.
        case purge
        /// `needed`, `freed`, and `missing` where all that may go was not enough: something was removed to make room.
        ///
        /// `purged` has told of the packs; partial downloads that no request needs are counted here alone. After a `fill` or
        /// a `purge` it is told also where nothing could go.
        case room
        /// `name`: the app was asked to free resources.
        ///
        /// A request of its own or of another process on the device found no room, or the system needs it:
        /// `NSBundleResourceRequestLowDiskSpaceNotification`. What the system needs is purged afterwards.
        case notification
        /// `status`: the client ends with this status.
        ///
        /// It is always the last line. Where it is missing, the client was killed.
        case exit
    }

    /// What is below an error.
    package struct Cause: Hashable, Sendable, Codable {
        /// Whose number the code is: `libcurl`, `NSPOSIXErrorDomain`.
        package var domain: String
        package var code: Int
        package var message: String

        package init(domain: String, code: Int, message: String) {
            (self.domain, self.code, self.message) = (domain, code, message)
        }
    }

    /// The version of this form: 1.
    package var v = version
    /// When it happened: nanoseconds of CLOCK_MONOTONIC; never less than on the line before.
    package var t: Int64
    /// What happened; any word where it is an event that this version does not know.
    package var event: String
    /// The request's name.
    package var id: String?
    /// Tags, sorted.
    package var tags: [String]?
    /// How soon a request is loaded, or how late a pack is purged.
    package var priority: LoadingPriority?
    /// Whether the system began the request, to fetch beforehand.
    package var prefetch: Bool?
    /// The share that is shown to people: 0 to 1.
    package var fraction: Double?
    /// Bytes of the files of this request that are there.
    package var completed: Int64?
    /// Bytes of the files that are downloaded for this request.
    package var total: Int64?
    /// Whether everything is there.
    package var available: Bool?
    /// What the client calls itself.
    package var client: String?
    /// The number of its process.
    package var pid: Int?
    /// The manifest's address, or its path.
    package var manifest: String?
    /// The path of the device's store.
    package var store: String?
    /// The pack by its identifier in the manifest, or `manifest` or `tag-table`.
    package var pack: String?
    /// The file's address, without user, password, query and fragment.
    package var url: String?
    /// The answer's status, or the one that the client exits with.
    package var status: Int?
    /// Bytes of the answer's body, as the host states them.
    package var length: Int64?
    /// The first byte that is asked for or answered.
    package var from: Int64?
    /// Which try for this file it is, from 1.
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
    /// Which version of the app it is; the first one that replaces another is 2.
    package var version: Int?
    /// Packs by their identifiers.
    package var packs: [String]?
    /// Seconds from `use` until everything was there.
    package var waited: Double?
    /// Which rule the call breaks: `begun-twice`, `begun-after-end`, `ended-before-begin`, `ended-before-callback` or
    /// `ended-twice`.
    package var rule: String?
    /// Whose number the code is; see the client's errors.
    package var domain: String?
    /// The error's number.
    package var code: Int?
    /// What an app tells its people: `network`, `storage` or `unexpected`.
    package var `class`: String?
    /// What was attempted, on what, what the system said, what to try.
    package var message: String?
    /// The cause below, with its own `domain`, `code` and `message`.
    package var underlying: Cause?
    /// The notification's name.
    package var name: String?
    /// Bytes that had to become free.
    package var needed: Int64?
    /// Bytes that became free.
    package var freed: Int64?
    /// Bytes that had to become free, and for which nothing may go.
    package var missing: Int64?
    /// Bytes of packs and of partial downloads.
    package var stored: Int64?
    /// Bytes that requests have pinned.
    package var inUse: Int64?
    /// The most bytes that were stored at a time since the start, a pack that is being unpacked beside its download included.
    package var peak: Int64?
    /// The number of the line, from 1, where the client numbers its lines.
    package var n: Int?

    /// An event of this kind, with the members that `fill` sets.
    package init(_ kind: Kind, at time: Int64 = 0, _ fill: (inout Self) -> Void = { _ in }) {
        (t, event) = (time, kind.rawValue)
        fill(&self)
    }

    /// What happened; nil where it is an event that this version does not know.
    package var kind: Kind? { Kind(rawValue: event) }

    /// Whether the event is about a pack, and not about the catalog.
    package var isAboutPack: Bool { pack != "manifest" && pack != "tag-table" }

    /// The event as one line of JSON, with its end.
    package var line: String { JSONTree(encoding: self).line + "\n" }
}
