import LinkModel
import Witness

/// How many attempts go on at once: what the machine takes, by what was seen of it.
struct Pace: Sendable, Equatable {
    /// What a processor takes however busy it is with other things.
    static let leastEach = 2
    /// What each processor is tried with first, where it is quiet.
    static let firstEach = 6
    /// What each processor takes at most, where it stays quiet.
    static let mostEach = 12
    /// No machine is asked for more.
    static let most = 64
    /// How long the machine is looked at before the number is changed again.
    static let stretch = Duration.milliseconds(250)

    /// How many go on at once now.
    private(set) var limit: Int
    /// How many begin in a stretch, for many that begin together want all processors for a moment; nil: any number.
    var starts: Int? { areShort ? nil : processors }
    private var most: Int
    /// Nil: the number follows no noise.
    private var processors: Int?
    private var isFirst = true
    private var areShort = false
    /// What is left of the processors where more attempts may begin.
    private var enoughIdle = 0.4
    /// What is left of them where there are too many.
    private var leastIdle = 0.15

    /// Always so many, but for what was too much.
    static func fixed(_ count: Int) -> Pace { Pace(limit: max(1, count), most: max(1, count)) }

    /// As many as the machine takes, and no more than `most`; begins with few, until it is known to be quiet.
    ///
    /// `areShort`: each takes less than a stretch, and its time is not judged. Then any number begins in one, and little is left
    /// of the processors.
    static func adaptive(processors: Int, most: Int, areShort: Bool = false) -> Pace {
        let most = max(1, most)
        var pace = Pace(limit: min(most, leastEach * processors), most: most, processors: processors)
        pace.areShort = areShort
        if areShort { (pace.enoughIdle, pace.leastIdle) = (0.2, 0.05) }
        return pace
    }

    /// The most that there may be where nothing else bounds it.
    static func most(processors: Int) -> Int { min(most, mostEach * processors) }

    private init(limit: Int, most: Int, processors: Int? = nil) {
        (self.limit, self.most, self.processors) = (limit, most, processors)
    }

    /// A cell has no result because too much went on beside it: there will never be so many again.
    mutating func disturbed() {
        limit = max(1, limit / 2)
        most = limit
    }

    /// An attempt was too noisy to count.
    mutating func spoilt() {
        if let processors { slow(processors) }
    }

    /// Takes note of how noisy the machine was for a moment; `isFull` says whether more would have gone on.
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

    /// Whether it is too much: little is left of the processors, so that programs wait for each other, or threads are late by
    /// half of what spoils an attempt.
    private func isBusy(_ noise: Noise) -> Bool {
        noise.idle.map { $0 < leastIdle } ?? false || noise.steal.map { $0 > 0.05 } ?? false
            || noise.p99Lateness.map { $0 > .milliseconds(15) } ?? false
            || noise.largestLateness.map { $0 > .milliseconds(125) } ?? false
    }

    /// Whether the machine has something left for more; what is unknown says nothing of the kind.
    private func isQuiet(_ noise: Noise) -> Bool {
        guard let idle = noise.idle, let late = noise.largestLateness else { return false }
        return idle >= enoughIdle && (noise.steal ?? 0) <= 0.02 && late <= .milliseconds(30)
    }
}
