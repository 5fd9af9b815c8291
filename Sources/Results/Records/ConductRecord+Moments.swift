extension ConductRecord {
    /// A request to the host for a cancelled request's pack, after its callback.
    package struct Afterwards: Hashable, Sendable, Codable {
        package var request: String
        package var pack: String
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        /// How long after the callback.
        package var seconds: Double

        package init(_ request: String, pack: String, nanoseconds: Int64 = 0, seconds: Double) {
            self.request = request
            self.pack = pack
            self.nanoseconds = nanoseconds
            self.seconds = seconds
        }

        private enum CodingKeys: String, CodingKey {
            case request, pack
            case nanoseconds = "t"
            case seconds = "after_seconds"
        }
    }

    /// A time in which the link let nothing pass, or the moment at which its connections were cut.
    package struct Outage: Hashable, Sendable, Codable {
        /// `no-route`, `silent`, `refused`, `no-name` or `cut`.
        package var kind: String
        package var fromSeconds: Double
        /// nil: it lasted until the client had ended.
        package var untilSeconds: Double?
        /// Connections and lookups of the client's that reached the link in it; nil where they cannot be seen.
        package var tries: Int?
        /// When the last of them came; nil where there was none.
        package var lastTrySeconds: Double?

        package init(_ kind: String, from: Double, until: Double?) {
            self.kind = kind
            fromSeconds = from
            untilSeconds = until
        }

        private enum CodingKeys: String, CodingKey {
            case kind, tries
            case fromSeconds = "from_seconds"
            case untilSeconds = "until_seconds"
            case lastTrySeconds = "last_try_seconds"
        }
    }

    /// A moment at which a fault killed the client.
    package struct Kill: Hashable, Sendable, Codable {
        /// When nothing of it ran any more.
        package var seconds: Double
        /// Bytes of the largest file in the client's own folders then; nil where it could not be read.
        package var savedBytes: Int64?

        package init(seconds: Double, savedBytes: Int64?) {
            self.seconds = seconds
            self.savedBytes = savedBytes
        }

        private enum CodingKeys: String, CodingKey {
            case seconds
            case savedBytes = "saved_bytes"
        }
    }

    /// What a scenario looks for in a command's output.
    package struct Output: Hashable, Sendable, Codable {
        package var pattern: String
        /// Whether a line matches; nil where not all could be looked at, and none of the others does.
        package var isFound: Bool?
        /// Why not all could be looked at; nil where all were.
        package var trouble: String?

        package init(pattern: String, isFound: Bool?, trouble: String? = nil) {
            self.pattern = pattern
            self.isFound = isFound
            self.trouble = trouble
        }

        private enum CodingKeys: String, CodingKey {
            case pattern, trouble
            case isFound = "found"
        }
    }
}

extension ConductRecord {
    /// When the kill came that ended a try; nil where none did.
    func killSeconds(of fetch: Fetch) -> Double? {
        // The kernel ends the connection before the last process of the client is gone.
        kills?.lazy.map(\.seconds).first {
            fetch.beganSeconds <= $0 && fetch.endedSeconds > $0 - 0.25 && !fetch.isWhole
        }
    }
}
