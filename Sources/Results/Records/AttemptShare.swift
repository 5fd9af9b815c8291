import FoundationEssentials

/// The attempts of a cell that a result has, if machines share them: every `count`-th, from number `index` on.
package struct AttemptShare: Hashable, Sendable, Codable {
    /// From 1 to `count`.
    package var index: Int
    package var count: Int
    /// The plan of all attempts together, for `headwind report merge`: a `CellPlan` as JSON.
    package var plan: String

    /// The share of a plan's attempts; throws only if the plan has a number that JSON cannot hold.
    package init(_ index: Int, of count: Int, plan: CellPlan) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        (self.index, self.count) = (index, count)
        self.plan = String(decoding: try encoder.encode(plan), as: UTF8.self)
    }

    /// The plan of all attempts; nil if Headwind did not write it.
    var whole: CellPlan? {
        guard let plan = try? JSONDecoder().decode(CellPlan.self, from: Data(plan.utf8)), plan.numbering == .all,
            (1...Self.mostAttempts).contains(plan.attempts), plan.maximumAttempts == plan.attempts
        else { return nil }
        return plan
    }

    /// Whether both are shares of one plan; the days of their judgements may differ.
    func isOfOnePlan(as other: Self) -> Bool {
        guard var one = whole, var two = other.whole else { return plan == other.plan }
        (one.day, two.day) = ("", "")
        return one == two
    }

    private static let mostAttempts = 1_000_000
}

/// How the attempts of a cell are numbered.
package enum AttemptNumbering: Hashable, Sendable, Codable {
    /// From 1 on, none left out.
    case all
    /// Every `count`-th, from `index` on; other machines make the others.
    case share(index: Int, count: Int)
    /// The numbers of several shares together: they rise, and a repeated attempt leaves gaps in those of others.
    case pooled

    /// The number of the attempt that is made in this place, from 1.
    package func number(_ place: Int) -> Int {
        switch self {
        case .all, .pooled: place
        case .share(let index, let count): index + (place - 1) * count
        }
    }

    /// Whether these are the numbers of attempts that were made one after the other, with none lost.
    func isOf(_ numbers: [Int]) -> Bool {
        switch self {
        case .all, .share: numbers == numbers.indices.map { number($0 + 1) }
        case .pooled: zip(numbers, numbers.dropFirst()).allSatisfy(<)
        }
    }
}

extension CellPlan {
    /// The plan of a share of the attempts; nil if there are fewer attempts than `index`.
    ///
    /// It adds no attempts while the evidence is insufficient, because that is known only when all shares are together.
    package func share(_ index: Int, of count: Int) -> CellPlan? {
        guard attempts >= index else { return nil }
        var share = self
        share.attempts = (attempts - index) / count + 1
        share.maximumAttempts = share.attempts
        share.numbering = .share(index: index, count: count)
        return share
    }
}
