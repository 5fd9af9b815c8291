import Documents
import Events
import LinkModel
import Results

/// The timeline of one attempt, from its lines in `events.jsonl`.
struct AttemptTimeline {
    private typealias Link = LinkEvent.Kind

    /// A row of the table of events.
    typealias Row = (seconds: Double, event: TimelineEvent)

    /// A change of the link, with rates in bits per second.
    struct Conditions {
        var seconds: Double
        var downlink: Double?
        var uplink: Double?
        var offline: String?
    }

    /// The origin of the page's seconds, in nanoseconds of CLOCK_MONOTONIC: the client's start, or else the first
    /// event.
    private(set) var origin: Int64?
    private(set) var start = 0.0
    private(set) var end = 0.0
    private(set) var conditions: [Conditions] = []
    private(set) var delivered = PointSeries()
    /// The progress that the client reported for each request, in the order of the first reports.
    private(set) var progress: [(id: String, total: Int64?, told: PointSeries)] = []
    private(set) var rows: [Row] = []
    /// The number of events, by name, that are summarized or only drawn.
    private(set) var counts: [String: Int] = [:]
    /// The bytes that each connection had delivered to the client at its last event.
    private var totals: [Int128: Int64] = [:]
    private var sum = Int64(0)

    /// The number of first events that the table keeps.
    static let mostFirst = 300
    /// The number of last events that the table keeps.
    static let mostLast = 100
    /// The shortest gap that counts, in seconds.
    static let leastGap = 0.5
    /// The time for which a loss usually delays the bytes after it, in seconds, at most.
    private static let longRoundTrip = 0.25
    /// The fewest periods of a rate chart, even for the shortest attempt.
    private static let leastStretches = 20.0

    init(origin: Int64?) { self.origin = origin }

    mutating func add(_ event: TimelineEvent) {
        if origin == nil { origin = event.nanoseconds }
        let distance = event.nanoseconds.subtractingReportingOverflow(origin ?? 0).partialValue
        let seconds = Double(distance) / 1e9
        start = min(start, seconds)
        end = max(end, seconds)
        switch (event.source, event.name) {
        case (.client, ClientEvent.Kind.progress.rawValue): tell(event, seconds)
        case (.client, ClientEvent.Kind.usage.rawValue): counts["usage", default: 0] += 1
        case (.link, Link.CodingKeys.delivered.rawValue): deliver(event, seconds)
        case (.link, Link.CodingKeys.decision.rawValue):
            // A lossy link may have thousands of them, all alike.
            counts["decision", default: 0] += 1
            if counts["decision", default: 0] <= Self.mostLast { rows.append((seconds, event)) }
        default:
            if event.source == .link, let conditions = event[Link.ConditionsCodingKeys.conditions] {
                change(conditions, seconds)
            }
            rows.append((seconds, event))
        }
    }

    private mutating func deliver(_ event: TimelineEvent, _ seconds: Double) {
        counts["delivered", default: 0] += 1
        guard let total = event[Link.DeliveredCodingKeys.total]?.integer.flatMap(Int64.init(exactly:)), total >= 0,
            case .text(Direction.downlink.rawValue)? = event[Link.DeliveredCodingKeys.direction]
        else { return }
        let connection = event[LinkEvent.CodingKeys.connection]?.integer ?? 0
        sum &+= max(0, total - (totals[connection] ?? 0))
        totals[connection] = total
        delivered.add(seconds, Double(sum))
    }

    private mutating func tell(_ event: TimelineEvent, _ seconds: Double) {
        counts["progress", default: 0] += 1
        guard let fraction = event[ClientEvent.ProgressCodingKeys.fraction]?.number else { return }
        let id = if case .text(let id)? = event[ClientEvent.ProgressCodingKeys.id] { id } else { "" }
        let total = event[ClientEvent.ProgressCodingKeys.total]?.integer
            .flatMap { (0...1 << 53).contains($0) ? Int64($0) : nil }
        var index = progress.firstIndex { $0.id == id }
        if index == nil, progress.count < 50 {
            progress.append((id, nil, PointSeries()))
            index = progress.count - 1
        }
        guard let index else { return }
        progress[index].told.add(seconds, fraction)
        if let total { progress[index].total = total }
    }

    private mutating func change(_ notation: JSONTree, _ seconds: Double) {
        guard conditions.count < 2000 else { return }
        func rate(_ direction: Direction) -> Double? {
            LinkConditions.rate(direction, in: notation).map { Double($0.bitsPerSecond) }
        }
        conditions.append(
            Conditions(
                seconds: seconds, downlink: rate(.downlink), uplink: rate(.uplink),
                offline: LinkConditions.offline(in: notation)?.rawValue))
    }

    /// The times of at least ``leastGap`` in which no byte arrived: the 100 longest, in order of time.
    var gaps: [(from: Double, until: Double)] {
        let points = delivered.points
        let all = zip(points, points.dropFirst()).map { (from: $0.seconds, until: $1.seconds) }
            .filter { $0.until - $0.from >= Self.leastGap }
        return all.sorted { $0.until - $0.from > $1.until - $1.from }.prefix(100).sorted { $0.from < $1.from }
    }

    /// The rate of arrival in bits per second, in at most 160 periods of equal length.
    ///
    /// After a lost packet, TCP delivers what it held back at once, one round trip later. A shorter period would show
    /// more than the link carries.
    func rates() -> (from: Double, step: Double, values: [Double])? {
        let points = delivered.points
        guard let from = points.first?.seconds, end > from else { return nil }
        let step = max((end - from) / 160, min((end - from) / Self.leastStretches, Self.longRoundTrip), 0.02)
        var values = [Double](repeating: 0, count: max(1, Int(((end - from) / step).rounded(.up))))
        var before = 0.0
        for point in points {
            values[max(0, min(Int((point.seconds - from) / step), values.count - 1))] +=
                (point.value - before) * 8 / step
            before = point.value
        }
        return (from, step, values)
    }
}
