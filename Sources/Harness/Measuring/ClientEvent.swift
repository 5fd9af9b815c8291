import FoundationEssentials

/// A line of the event stream that a client writes (docs/events.md), as far as the harness reads it.
struct ClientEvent: Decodable, Sendable {
    /// Version of the event's form.
    var v: Int
    /// CLOCK_MONOTONIC nanoseconds.
    var t: Int64
    var event: String
    /// The line's number in the stream, from 1; nil where the client does not number its lines.
    var n: Int?
    var id: String?
    var tags: [String]?
    var pack: String?
    var fraction: Double?
    var completed: Int64?
    var total: Int64?
    var bytes: Int64?
    var from: Int64?
    var status: Int?
    var stored: Int64?
    var domain: String?
    var code: Int?
    var errorClass: String?
    var message: String?
    var reason: String?
    var name: String?

    private enum CodingKeys: String, CodingKey {
        case v, t, event, n, id, tags, pack, fraction, completed, total, bytes, from, status, stored, domain, code,
            message
        case reason, name
        case errorClass = "class"
    }

    /// The version that this harness reads.
    static let version = 1

    /// Reads a line; nil where it is no event of a known version.
    init?(line: some Sequence<UInt8>) {
        guard let event = try? JSONDecoder().decode(ClientEvent.self, from: Data(line)), event.v == Self.version else {
            return nil
        }
        self = event
    }
}
