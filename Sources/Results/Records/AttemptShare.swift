import FoundationEssentials

/// Which of a cell's attempts a result has, where they are divided among machines: every `count`-th, from number `index` on.
package struct AttemptShare: Hashable, Sendable, Codable {
    /// From 1 to `count`.
    package var index: Int
    package var count: Int
    /// What is asked of all attempts together, for `headwind report merge`: a `CellPlan` as JSON.
    package var plan: String

    /// The share of a plan's attempts; throws only for a number that JSON cannot hold.
    package init(_ index: Int, of count: Int, plan: CellPlan) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        (self.index, self.count) = (index, count)
        self.plan = String(decoding: try encoder.encode(plan), as: UTF8.self)
    }

    /// The plan of all attempts; nil where it is none that Headwind wrote.
    var whole: CellPlan? {
        guard let plan = try? JSONDecoder().decode(CellPlan.self, from: Data(plan.utf8)), plan.numbering == .all,
            (1...Self.mostAttempts).contains(plan.attempts), plan.maximumAttempts == plan.attempts
        else { return nil }
        return plan
    }

    private static let mostAttempts = 1_000_000
}

/// How the attempts of a cell are numbered.
package enum AttemptNumbering: Hashable, Sendable, Codable {
    /// From 1 on, none left out.
    case all
    /// Every `count`-th, from `index` on: the others are made elsewhere.
    case share(index: Int, count: Int)
    /// Those of several shares: upwards, and one that was repeated leaves the numbers of others out.
    case pooled

    /// The number of the attempt that is made as the `place`-th, from 1.
    package func number(_ place: Int) -> Int {
        switch self {
        case .all, .pooled: place
        case .share(let index, let count): index + (place - 1) * count
        }
    }

    /// Whether these are the numbers of attempts that were made one after the other, none lost.
    func isOf(_ numbers: [Int]) -> Bool {
        switch self {
        case .all, .share: numbers == numbers.indices.map { number($0 + 1) }
        case .pooled: zip(numbers, numbers.dropFirst()).allSatisfy(<)
        }
    }
}

extension CellPlan {
    /// The plan of a share of the attempts; nil where there are fewer attempts than shares before it.
    ///
    /// None are added where the evidence does not suffice: whether it does is seen when all are together.
    package func share(_ index: Int, of count: Int) -> CellPlan? {
        guard attempts >= index else { return nil }
        var share = self
        share.attempts = (attempts - index) / count + 1
        share.maximumAttempts = share.attempts
        share.numbering = .share(index: index, count: count)
        return share
    }
}
