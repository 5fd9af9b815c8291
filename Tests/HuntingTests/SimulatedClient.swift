import Hunting
import Synchronization

@testable import Results

/// A client that is a rule: the faults for which it fails, and how often.
struct SimulatedClient: HuntStage {
    /// The outcome of an attempt.
    enum End: Sendable {
        case holds
        case fails(ClientReport.Severity)
        /// The machine was too busy, or there was other trouble.
        case spoilt(Attribution = .machineNoisy)
        /// It ended before a fault happened.
        case misses
    }

    static let pack = HuntPack(identifier: "level", path: "/level.bin", size: 1_000_000)

    var packs = [Self.pack]
    var knowsDigest = true
    var metNeeds = Set(HuntFault.Need.allCases)
    let waiting = 0
    /// Whether it requests the rest of the pack after each fault that costs it a try.
    var triesAgain = true
    /// The outcome for a candidate; the number is that of the play, from 0.
    let rule: @Sendable (Candidate, Int) -> End
    let plays = Counter()

    final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                defer { value += 1 }
                return value
            }
        }
        var count: Int { value.withLock { $0 } }
    }

    init(rule: @escaping @Sendable (Candidate, Int) -> End) { self.rule = rule }

    func play(_ candidate: Candidate) async throws -> CellResult {
        try Task.checkCancellation()
        let end = rule(candidate, plays.next())
        var conduct = ConductRecord(isCommand: true)
        let tries = 1 + (triesAgain ? candidate.faults.count { $0.demand == .retries } : 0)
        conduct.fetches = (1...tries).map { number in
            let from: Int64 = number == 1 ? 0 : 500_000
            let faults = candidate.faults.filter { $0.request == number }
            let isCut = faults.contains { $0.kind.row.traits.contains(.endsEarly) }
            let isRefused = !isCut && faults.contains { $0.demand == .retries }
            return .init(
                "level", number: number, began: Double(number), ended: Double(number) + 0.5, askedFrom: from,
                answeredFrom: from, status: isRefused ? 503 : from == 0 ? 200 : 206, bytes: 1_000_000 - from,
                isWhole: !isCut)
        }
        conduct.packs = [.init("level", bytes: 1_000_000, requests: tries)]
        var attempt = AttemptRecord(number: 1, seed: Seed(1), conduct: conduct)
        if case .misses = end {
            attempt.schedule = ScheduleFacts(file: "", lines: 0, hash: "", firstTransmissionHash: "", unmet: 1)
        }
        var cell = CellResult(
            scenario: "a", link: LinkFacts(profile: "open", backend: "proxy", fidelity: "modelled"),
            plan: CellPlan(attempts: 1, maximumAttempts: 1), attempts: [attempt], startedAt: "", durationSeconds: 0)
        cell.checks = []
        switch end {
        case .holds, .misses: (cell.verdict, cell.findings) = (.pass, [])
        case .spoilt(let trouble): (cell.verdict, cell.findings) = (.infrastructure, [Finding(trouble, "", attempt: 1)])
        case .fails(let severity):
            (cell.verdict, cell.findings) = (.fail, [Finding(Self.finding(of: severity), "", attempt: 1)])
        }
        return cell
    }

    private static func finding(of severity: ClientReport.Severity) -> Attribution {
        switch severity {
        case .insecure: .redirectUnsafe
        case .wrongData, .losesData: .contentWrong
        case .crashes: .clientCrashed
        case .hangs: .clientHung
        case .claimsSuccess, .givesUp, .wasteful: .clientFailed
        }
    }
}

extension Candidate {
    /// Whether the candidate has a fault of this kind at the request, and at the place if one is given.
    func has(_ kind: HuntFault.Kind, _ request: Int = 1, _ place: HuntFault.Place? = nil) -> Bool {
        faults.contains { $0.kind == kind && $0.request == request && (place ?? $0.place) == $0.place }
    }
}

extension Hunt {
    /// A hunt of at most `attempts` attempts, one at a time, so that it is the same each time.
    static func short(_ stage: Stage, attempts: Int = 3000, seed: UInt64 = 1) -> Hunt {
        var hunt = Hunt(stage, for: .seconds(3600))
        (hunt.attempts, hunt.seed, hunt.width) = (attempts, seed, 1)
        return hunt
    }
}
