extension ConductRecord {
    /// A pack's identifier, and its name for people: all of its tags joined by `+`.
    package struct Name: Hashable, Sendable, Codable {
        package var pack: String
        package var name: String

        package init(_ pack: String, name: String? = nil) {
            self.pack = pack
            self.name = name ?? pack
        }
    }

    /// A pack that was requested.
    package struct Pack: Hashable, Sendable, Codable {
        /// Its identifier at the host.
        package var pack: String
        /// Its name for people: all of its tags joined by `+`.
        package var name: String
        /// Bytes of the file that is served.
        package var bytes: Int64
        /// How often it was requested, including requests that are not kept.
        package var requests: Int
        /// When the client first reported that it is stored; nil if it did not.
        package var storedSeconds: Double?

        package init(_ pack: String, name: String? = nil, bytes: Int64, requests: Int) {
            self.pack = pack
            self.name = name ?? pack
            self.bytes = bytes
            self.requests = requests
        }

        private enum CodingKeys: String, SnakeCaseKey { case pack, name, bytes, requests, storedSeconds }
    }

    /// One request for a pack, and the host's answer.
    package struct Fetch: Hashable, Sendable, Codable {
        /// How an answer ended.
        package enum End: String, CaseIterable, Codable, Sendable {
            /// The whole answer was sent.
            case complete
            /// The host cut it.
            case host
            /// The client, or a link that was cut, ended the connection.
            case client
            /// The client took no more bytes until the host gave up.
            case stall
        }

        package var pack: String
        /// Which request for the pack it is, from 1.
        package var number: Int
        /// Which request for a range from ``askedFrom`` on it is, from 1, if the client requests ranges side by side; nil
        /// otherwise.
        package var numberOfRange: Int?
        /// CLOCK_MONOTONIC nanoseconds of the request: its line in `events.jsonl`.
        package var nanoseconds: Int64
        package var beganSeconds: Double
        /// When its last byte reached the client; nil if none did, or if that is unknown.
        package var lastByteSeconds: Double?
        package var endedSeconds: Double
        package var end: End
        /// The first byte that was requested; nil for a suffix range, which requests the last bytes.
        package var askedFrom: Int64?
        /// The first byte of the answer's body within the pack.
        package var answeredFrom: Int64
        /// The answer's status; nil if no head was sent.
        package var status: Int?
        /// Body bytes that reached the client.
        package var bytes: Int64
        /// Whether all of the answer's body reached the client.
        package var isWhole: Bool
        /// Its deliberate faults, as a schedule writes them: `cut@40000`.
        package var faults: [String]
        package var retryAfterSeconds: Double?
        /// The number of the host's connection that it used; nil in results of older versions.
        package var connection: Int?
        /// The scheme, name and port of the request, such as `http://127.0.0.1:8080`; nil if the request does not say.
        package var origin: String?
        /// Which of the fields `authorization` and `cookie` the request had, by name; nil if it had neither.
        package var credentials: String?
        /// `HTTP/2`; nil for HTTP/1.
        package var httpVersion: String?

        private enum CodingKeys: String, SnakeCaseKey {
            case pack, number, end, status, bytes, faults, connection, origin, credentials, numberOfRange,
                beganSeconds, lastByteSeconds, endedSeconds, askedFrom, answeredFrom, isWhole, retryAfterSeconds,
                httpVersion
            case nanoseconds = "t"
        }
    }
}

extension ConductRecord.Fetch {
    /// A request with the properties that are given; by default its answer is the whole pack, without a fault.
    package init(
        _ pack: String, number: Int, nanoseconds: Int64 = 0, began: Double, lastByte: Double? = nil, ended: Double,
        end: End = .complete, askedFrom: Int64? = 0, answeredFrom: Int64 = 0, status: Int? = 200, bytes: Int64,
        isWhole: Bool = true, faults: [String] = [], retryAfter: Double? = nil, connection: Int? = nil,
        origin: String? = nil, credentials: String? = nil, httpVersion: String? = nil
    ) {
        self.init(
            pack: pack, number: number, nanoseconds: nanoseconds, beganSeconds: began, lastByteSeconds: lastByte,
            endedSeconds: ended, end: end, askedFrom: askedFrom, answeredFrom: answeredFrom, status: status,
            bytes: bytes, isWhole: isWhole, faults: faults, retryAfterSeconds: retryAfter, connection: connection,
            origin: origin, credentials: credentials, httpVersion: httpVersion)
    }

    /// Whether a client has reason to ask again.
    package var hasFailed: Bool { !isWhole || status.map { $0 >= 400 } ?? true }

    /// Whether the answer was the pack, or a part of it.
    var isOfPack: Bool { (status == 200 || status == 206) && !hasFault("body") }

    /// The bytes of the pack that it brought.
    package var range: Range<Int64> { answeredFrom..<(answeredFrom + (isOfPack ? max(0, bytes) : 0)) }

    /// The first byte of the pack behind those that it brought; nil if it brought none.
    var reached: Int64? { range.isEmpty ? nil : range.upperBound }

    /// The kinds of faults that make an answer another edition than those before it.
    private static let editions = ["changed-etag", "changed-content", "changed-size"]

    /// Whether it is of another edition than the host usually serves.
    var isOfAnotherEdition: Bool { Self.editions.contains(where: hasFault) }

    /// Whether the host served another edition of the pack for this request than for the other one.
    func isOfOtherEdition(than other: Self) -> Bool {
        Self.editions.contains { hasFault($0) != other.hasFault($0) }
    }

    /// Whether it had a fault of this kind: `cut` of `cut@40000 rst`.
    func hasFault(_ kind: String) -> Bool { fault(kind) != nil }

    /// The first fault of a kind; nil if there is none.
    func fault(_ kind: String) -> String? {
        faults.first { $0.prefix { !"@= ".contains($0) } == kind }
    }

    /// The byte at which a fault of this kind is, such as 40000 of `cut@40000 rst`; nil if there is none.
    func place(of kind: String) -> Int64? {
        fault(kind)?.split(separator: "@", maxSplits: 1).dropFirst().first.flatMap { Int64($0.prefix { $0.isNumber }) }
    }
}
