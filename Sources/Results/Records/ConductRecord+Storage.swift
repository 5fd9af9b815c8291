extension ConductRecord {
    /// A notification that the client posted.
    package struct Notification: Hashable, Sendable, Codable {
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        package var name: String

        package init(_ name: String, nanoseconds: Int64 = 0) {
            self.name = name
            self.nanoseconds = nanoseconds
        }

        /// The notification that asks apps to free resources, as Apple's class names it.
        package static let lowSpace = "NSBundleResourceRequestLowDiskSpaceNotification"

        private enum CodingKeys: String, CodingKey {
            case name
            case nanoseconds = "t"
        }
    }

    /// A pack that the client reports as removed to make room.
    package struct Purge: Hashable, Sendable, Codable {
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        package var pack: String
        /// Whether a request that had not ended used it then.
        package var isInUse: Bool
        /// Whether the system needed the room while the app ran, and the app was not notified before; nil if not so.
        package var isUnannounced: Bool?

        package init(_ pack: String, nanoseconds: Int64 = 0, isInUse: Bool, isUnannounced: Bool? = nil) {
            self.pack = pack
            self.nanoseconds = nanoseconds
            self.isInUse = isInUse
            self.isUnannounced = isUnannounced
        }

        private enum CodingKeys: String, SnakeCaseKey {
            case pack, isUnannounced, isInUse
            case nanoseconds = "t"
        }
    }

    /// The packs that one name in a scenario stands for.
    package struct NamedPacks: Hashable, Sendable, Codable {
        /// The name in the scenario.
        package var name: String
        /// Their identifiers at the host.
        package var packs: [String]

        package init(_ name: String, packs: [String]) {
            self.name = name
            self.packs = packs
        }
    }

    /// A pack that the scenario expects to be kept.
    package struct Kept: Hashable, Sendable, Codable {
        /// Its identifier at the host.
        package var pack: String
        /// Its name for people: all of its tags joined by `+`.
        package var name: String
        /// Whether it is in the store, as the host serves it, when the client has ended; nil if it could not be read.
        package var isThere: Bool?

        package init(_ pack: String, name: String? = nil, isThere: Bool?) {
            self.pack = pack
            self.name = name ?? pack
            self.isThere = isThere
        }

        private enum CodingKeys: String, SnakeCaseKey { case pack, name, isThere }
    }

    /// A pack that is visible in the store when the client has ended.
    package struct Stored: Hashable, Sendable, Codable {
        /// Its identifier in the app's manifest, or its name in the store if the host serves none of that name.
        package var pack: String
        /// Its name for people: all of its tags joined by `+`.
        package var name: String
        /// How it differs from what the host serves, as the end of a sentence; nil if it does not.
        package var problem: String?
        /// The first wrong byte in the file that `problem` names; nil if there is none, or if it is unknown.
        package var wrongByte: Int64?

        package init(_ pack: String, name: String? = nil, problem: String? = nil, wrongByte: Int64? = nil) {
            self.pack = pack
            self.name = name ?? pack
            self.problem = problem
            self.wrongByte = wrongByte
        }

        private enum CodingKeys: String, SnakeCaseKey { case pack, name, problem, wrongByte }
    }

    /// A file that a command left.
    package struct File: Hashable, Sendable, Codable {
        package var name: String
        /// The identifier of the pack that it should be; nil if it should be something else.
        package var pack: String?
        /// The size of the file; nil if there is none.
        package var bytes: Int64?
        /// How it differs from what it should be, as the end of a sentence; nil if it does not.
        package var problem: String?
        /// The first byte that is not the pack's, which may be the file's end; nil if there is none, or if it is
        /// unknown.
        package var wrongByte: Int64?

        package init(
            _ name: String, pack: String? = nil, bytes: Int64? = nil, problem: String? = nil, wrongByte: Int64? = nil
        ) {
            self.name = name
            self.pack = pack
            self.bytes = bytes
            self.problem = problem
            self.wrongByte = wrongByte
        }

        private enum CodingKeys: String, SnakeCaseKey { case name, pack, bytes, problem, wrongByte }
    }
}
