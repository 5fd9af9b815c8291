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
    var peak: Int64?
    var needed: Int64?
    var freed: Int64?
    var domain: String?
    var code: Int?
    var errorClass: String?
    var message: String?
    var reason: String?
    var name: String?
    private var lenientRule: Lenient<String>?
    private var lenientBundle: Lenient<String>?
    private var lenientRadio: Lenient<String>?
    private var lenientPacks: Lenient<[String]>?
    private var lenientPrefetch: Lenient<Bool>?
    private var lenientInUse: Lenient<Int64>?

    var rule: String? { lenientRule?.value }
    var bundle: String? { lenientBundle?.value }
    var radio: String? { lenientRadio?.value }
    var packs: [String]? { lenientPacks?.value }
    var inUse: Int64? { lenientInUse?.value }
    /// Whether the request is the system's own.
    var isPrefetch: Bool { lenientPrefetch?.value ?? false }

    /// A member that foreign clients may have for something else: what does not fit is not there.
    private struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
        var value: Value?

        init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
    }

    private enum CodingKeys: String, CodingKey {
        case v, t, event, n, id, tags, pack, fraction, completed, total, bytes, from, status, stored, peak, needed,
            freed, domain,
            code, message
        case reason, name
        case lenientRule = "rule"
        case lenientBundle = "bundle"
        case lenientRadio = "radio"
        case lenientPacks = "packs"
        case lenientPrefetch = "prefetch"
        case lenientInUse = "inUse"
        case errorClass = "class"
    }

    /// The version that this harness reads.
    static let version = 1

    /// Reads a line; nil where it is no event of a known version, or has a number that cannot be.
    init?(line: some Sequence<UInt8>) {
        guard let event = try? JSONDecoder().decode(ClientEvent.self, from: Data(line)), event.v == Self.version,
            event.isPlausible
        else { return nil }
        self = event
    }

    /// Moments that a clock may show, up to 146 years after its start.
    private static let moments: ClosedRange<Int64> = 0...1 << 62
    /// Numbers of bytes that a program may count: those that JSON holds exactly everywhere (RFC 8259 §6).
    private static let counts: ClosedRange<Int64> = 0...1 << 53

    /// Whether moment and counts are such that everybody may calculate with them.
    private var isPlausible: Bool {
        Self.moments.contains(t)
            && [completed, total, bytes, from, stored, peak, needed, freed].allSatisfy {
                $0.map(Self.counts.contains) ?? true
            }
    }
}
