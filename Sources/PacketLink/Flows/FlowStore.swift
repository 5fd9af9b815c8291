internal import LinkModel

/// The memory of flows, in which a packet changes its flow without a copy.
@safe struct FlowStore: ~Copyable {
    /// The number of slots that have held a flow.
    private(set) var count = 0

    private let capacity: Int
    private let flows: UnsafeMutablePointer<Flow>
    /// Two halves for each flow, in the order of ``LinkModel/Direction``'s cases.
    private let halves: UnsafeMutablePointer<FlowHalf>

    init(capacity: Int) {
        self.capacity = capacity
        unsafe flows = .allocate(capacity: capacity)
        unsafe halves = .allocate(capacity: 2 * capacity)
    }

    deinit {
        unsafe flows.deinitialize(count: count)
        unsafe halves.deinitialize(count: 2 * count)
        unsafe flows.deallocate()
        unsafe halves.deallocate()
    }

    /// Adds a flow in a new slot; traps if ``capacity`` slots are in use.
    mutating func append(_ flow: Flow) -> Int32 {
        precondition(count < capacity, "a flow makes room before another one comes")
        unsafe (flows + count).initialize(to: flow)
        unsafe (halves + 2 * count).initialize(repeating: FlowHalf(), count: 2)
        count += 1
        return Int32(count - 1)
    }

    subscript(slot: Int32) -> Flow {
        unsafeAddress { unsafe UnsafePointer(address(slot)) }
        nonmutating unsafeMutableAddress { unsafe address(slot) }
    }

    /// One direction of a flow.
    subscript(slot: Int32, direction: Direction) -> FlowHalf {
        unsafeAddress { unsafe UnsafePointer(address(slot, direction)) }
        nonmutating unsafeMutableAddress { unsafe address(slot, direction) }
    }

    func address(_ slot: Int32) -> UnsafeMutablePointer<Flow> { unsafe flows + checked(slot) }

    func address(_ slot: Int32, _ direction: Direction) -> UnsafeMutablePointer<FlowHalf> {
        unsafe halves + (2 * checked(slot) + (direction == .downlink ? 0 : 1))
    }

    private func checked(_ slot: Int32) -> Int {
        precondition(slot >= 0 && slot < count, "a slot holds a flow: \(slot)")
        return Int(slot)
    }
}
