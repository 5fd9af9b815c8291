import Results
import Testing

/// A good client whose failure looks like a bug that it does not have: no bug may be diagnosed.
struct NearMiss: Sendable, CustomTestStringConvertible {
    /// The way in which a client downloads.
    enum Kind: String, Sendable {
        /// The client asks again for missing bytes, after growing pauses.
        case pauses
        /// The client requests several parts at once.
        case ranges
        /// A process that outlives its requests downloads.
        case daemon
        /// One read waits for everything.
        case read
    }

    var bug: ClientBug
    var kind: Kind
    var test: DiagnosisCase

    var testDescription: String { "\(bug.rawValue), \(kind.rawValue)" }

    /// The attempt breaks budgets of time, requests and redundant bytes, so that every rule that depends on them
    /// applies.
    init(
        _ bug: ClientBug, _ kind: Kind, isCommand: Bool = false, isTold: Bool = true, expect: String = "available",
        words: [ConductExpectation] = [], budgets: [String] = [], _ change: (inout AttemptRecord) -> Void
    ) {
        (self.bug, self.kind) = (bug, kind)
        let broken = ["time_to_available: max <= 1 s", "requests: max <= 0", "redundant_bytes: max <= 0"]
        test = DiagnosisCase(
            "\(bug.rawValue), \(kind.rawValue)", isCommand: isCommand, isTold: isTold, expect: expect, words: words,
            budgets: broken + budgets
        ) {
            change(&$0)
            $0.samples.set(.timeToAvailable, 4)
            $0.samples.set(.requests, 9)
            $0.samples.set(.redundantBytes, 1)
        }
    }

    static let all: [NearMiss] =
        content + waiting + tries + requests + device + answers + files + costs + addresses
        + starts
}

/// For each bug, clients that have it, and clients of other kinds that seem to have it.
@Suite("ClientBug: a rule for each name")
struct NearMissTests {
    @Test("has no bug diagnosed", arguments: NearMiss.all)
    func accused(_ miss: NearMiss) {
        let judgement = miss.test.plan.judge([miss.test.attempt])
        #expect(judgement.verdict == .fail, "\(judgement.checks.map(\.sentence))")
        #expect(judgement.diagnoses.isEmpty, "\(judgement.diagnoses.map { "\($0.bug.rawValue): \($0.detail)" })")
    }

    @Test("three clients have the bug, and three of other kinds do not", arguments: ClientBug.allCases)
    func complete(_ bug: ClientBug) {
        let deserving = DiagnosisTests.caught.filter { $0.bugs.contains(bug) }
        #expect(deserving.count >= 3, "\(deserving.map(\.testDescription))")
        let kinds: Set<NearMiss.Kind> = Set(NearMiss.all.filter { $0.bug == bug }.map(\.kind))
        #expect(kinds.count >= 3, "\(kinds)")
    }
}

extension [ConductRecord.Fetch] {
    /// A download that is cut once, and resumed after a pause.
    static let resumed: Self = [
        .part(1, bytes: 40_000, at: 0, lasting: 0.3, end: .host, faults: ["cut@40000"]),
        .part(2, from: 40_000, bytes: 60_000, at: 0.6),
    ]

    /// A download in three parts at once, whose second part is cut and resumed.
    static let parallel: Self = [
        .part(1, bytes: 25_000, at: 0, lasting: 1),
        .part(2, from: 25_000, bytes: 10_000, at: 0.01, lasting: 0.5, end: .host, faults: ["cut@35000"]),
        .part(3, from: 50_000, bytes: 50_000, at: 0.02, lasting: 1),
        .part(4, from: 35_000, bytes: 15_000, at: 0.9),
    ]
}

extension ConductRecord.Fetch {
    /// A try without any response, until the client ended it.
    static func silent(_ number: Int, at began: Double, lasting seconds: Double) -> Self {
        .init(
            "p", number: number, nanoseconds: 1_000_000_000 + Int64(began * 1e9), began: began, ended: began + seconds,
            end: .client, status: nil, bytes: 0, isWhole: false, faults: ["no-head"])
    }

    /// A body that stalls after `bytes`, until the client ends it after `quiet` seconds.
    static func stalled(
        _ number: Int, of pack: String = "p", from: Int64 = 0, bytes: Int64, at began: Double, quiet: Double
    ) -> Self {
        var fetch = part(
            number, of: pack, from: from, bytes: bytes, at: began, lasting: 0.2 + quiet, end: .client,
            faults: ["stall@\(from + bytes)"])
        fetch.lastByteSeconds = began + 0.2
        return fetch
    }
}

extension AttemptRecord {
    /// Sets the attempt's requests to the host, for packs of 100,000 B.
    mutating func fetch(_ fetches: [ConductRecord.Fetch]) {
        conduct?.fetches = fetches
        conduct?.packs = Dictionary(grouping: fetches, by: \.pack).sorted { $0.key < $1.key }.map {
            .init($0.key, name: $0.key == "p" ? "level" : $0.key, bytes: 100_000, requests: $0.value.count)
        }
    }

    /// The client is still running when it is stopped, after `seconds`.
    mutating func hang(after seconds: Double = 5) {
        conduct?.endedSeconds = seconds
        end(.noCallback)
        clientEnd = ClientEnd(exitStatus: 143, wasStopped: true)
        findings.append(Finding(.clientHung, ""))
    }
}
