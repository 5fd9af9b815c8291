import LinkModel
import Witness

/// The number of attempts that run at once, adjusted to the machine's measured noise.
struct Pace: Sendable, Equatable {
    /// Attempts per processor that run however busy the machine is.
    static let leastEach = 2
    /// Attempts per processor of the first increase, once the machine is quiet.
    static let firstEach = 6
    /// The maximum of attempts per processor, while the machine stays quiet.
    static let mostEach = 12
    /// The maximum of attempts on any machine.
    static let most = 64
    /// How long the machine is measured before the number changes again.
    static let stretch = Duration.milliseconds(250)

    /// How many attempts may run at once now.
    private(set) var limit: Int
    /// How many attempts may begin in one stretch; nil: any number.
    ///
    /// Many that begin together would need all processors for a moment.
    var starts: Int? { areShort ? nil : processors }
    private var most: Int
    /// nil: the number does not depend on noise.
    private var processors: Int?
    private var isFirst = true
    private var areShort = false
    /// The least idle share of the processors at which more attempts may begin.
    private var enoughIdle = 0.4
    /// The idle share of the processors below which there are too many attempts.
    private var leastIdle = 0.15

    /// Always this number, except that a disturbed cell halves it.
    static func fixed(_ count: Int) -> Pace { Pace(limit: max(1, count), most: max(1, count)) }

    /// As many attempts as the machine can take, at most `most`; it starts low until the machine is known to be quiet.
    ///
    /// `areShort`: each attempt takes less than a stretch, and its time is not judged. Then any number may begin in a
    /// stretch, and the processors may be almost fully busy.
    static func adaptive(processors: Int, most: Int, areShort: Bool = false) -> Pace {
        let most = max(1, most)
        var pace = Pace(limit: min(most, leastEach * processors), most: most, processors: processors)
        pace.areShort = areShort
        if areShort { (pace.enoughIdle, pace.leastIdle) = (0.2, 0.05) }
        return pace
    }

    /// The maximum for a number of processors, without other limits.
    static func most(processors: Int) -> Int { min(most, mostEach * processors) }

    /// Halves the limit for good, after a cell had no result because too many ran at once.
    mutating func disturbed() {
        limit = max(1, limit / 2)
        most = limit
    }

    /// Slows down after an attempt that was too noisy to count.
    mutating func spoilt() {
        if let processors { slow(processors) }
    }

    /// Adjusts the limit to a stretch's noise; `isFull` says whether more attempts would have run.
    mutating func hear(_ noise: Noise, isFull: Bool) {
        guard let processors else { return }
        if isBusy(noise) {
            slow(processors)
        } else if isQuiet(noise), isFull {
            limit = min(most, max(limit + processors, isFirst ? Self.firstEach * processors : 0))
            isFirst = false
        }
    }

    private mutating func slow(_ processors: Int) {
        limit = max(min(limit, Self.leastEach * processors), limit / 2)
    }

    /// Whether there are too many attempts.
    ///
    /// Then the processors are almost fully busy, so that programs wait for each other. Or threads are late by half of
    /// what spoils an attempt.
    private func isBusy(_ noise: Noise) -> Bool {
        noise.idle.map { $0 < leastIdle } ?? false || noise.steal.map { $0 > 0.05 } ?? false
            || noise.p99Lateness.map { $0 > .milliseconds(15) } ?? false
            || noise.largestLateness.map { $0 > .milliseconds(125) } ?? false
    }

    /// Whether the machine can take more; false if a measurement is missing.
    private func isQuiet(_ noise: Noise) -> Bool {
        guard let idle = noise.idle, let late = noise.largestLateness else { return false }
        return idle >= enoughIdle && (noise.steal ?? 0) <= 0.02 && late <= .milliseconds(30)
    }
}
