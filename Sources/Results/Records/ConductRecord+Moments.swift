extension ConductRecord {
    /// A request to the host for a cancelled request's pack, after its callback.
    package struct Afterwards: Hashable, Sendable, Codable {
        package var request: String
        package var pack: String
        /// CLOCK_MONOTONIC nanoseconds: its line in `events.jsonl`.
        package var nanoseconds: Int64
        /// How long after the callback it came.
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
        /// When it ended; nil if it lasted until the client had ended.
        package var untilSeconds: Double?
        /// How many of the client's connections and lookups reached the link in it; nil if they cannot be seen.
        package var tries: Int?
        /// When the last of them came; nil if there was none.
        package var lastTrySeconds: Double?

        package init(_ kind: String, from: Double, until: Double?) {
            self.kind = kind
            fromSeconds = from
            untilSeconds = until
        }

        private enum CodingKeys: String, SnakeCaseKey { case kind, tries, fromSeconds, untilSeconds, lastTrySeconds }
    }

    /// A moment at which a fault killed the client.
    package struct Kill: Hashable, Sendable, Codable {
        /// When none of its processes ran any more.
        package var seconds: Double
        /// The bytes of the largest file in the client's own folders then; nil if it could not be read.
        package var savedBytes: Int64?

        package init(seconds: Double, savedBytes: Int64?) {
            self.seconds = seconds
            self.savedBytes = savedBytes
        }

        private enum CodingKeys: String, SnakeCaseKey { case seconds, savedBytes }
    }

    /// What a scenario looks for in a command's output.
    package struct Output: Hashable, Sendable, Codable {
        package var pattern: String
        /// Whether a line matches; nil if not all lines could be searched and none of the others matches.
        package var isFound: Bool?
        /// Why not all lines could be searched; nil if all were.
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
    /// When the kill came that ended a try; nil if none did.
    func killSeconds(of fetch: Fetch) -> Double? {
        // The kernel ends the connection before the last process of the client is gone.
        kills?.lazy.map(\.seconds).first {
            fetch.beganSeconds <= $0 && fetch.endedSeconds > $0 - 0.25 && !fetch.isWhole
        }
    }
}
