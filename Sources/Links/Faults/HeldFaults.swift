import LinkModel

/// The faults of a link that hold at a time, in the order in which they began: the last of them is what the link is.
struct HeldFaults {
    struct Held {
        let id: Int
        let fault: LinkFault
        let since: ContinuousClock.Instant
        /// Reports of progress before it began.
        let reports: Int
    }

    private var stack: [Held] = []
    private var begun = 0

    /// Lets a fault hold from now on, over all others; the answer is its name for ``end(_:)``.
    mutating func begin(_ fault: LinkFault, reports: Int) -> Int {
        begun += 1
        stack.append(Held(id: begun, fault: fault, since: .now, reports: reports))
        return begun
    }

    /// Ends what `isOver` says, and answers whether the link is to become something else.
    mutating func end(where isOver: (Held) -> Bool) -> Bool {
        let before = stack.last?.id
        stack.removeAll(where: isOver)
        return stack.last?.id != before
    }

    /// Makes the link what it is to be: what the fault says that began last, or its own profile where none holds.
    func application(to link: any ConditionedLink) -> @Sendable () async -> Void {
        let (effect, since) = (stack.last?.fault.effect, stack.last?.since ?? .now)
        // A link that is gone has no conditions to change, and one that refuses keeps why: its verification says so at the end.
        return switch effect {
        case .offline(let kind): { _ = try? await link.update { $0.offline = kind } }
        case .profile(let profile): { _ = try? await link.follow(profile, age: ContinuousClock.now - since) }
        case .cut, .clientKilled, nil: { _ = try? await link.release() }
        }
    }
}
