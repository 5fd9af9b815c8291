/// Decides which packets of a stream are lost.
///
/// A slot is a fixed range of ``slotBytes``. A packet is lost if it holds the start of a lost slot, so that another
/// segmentation of the same bytes loses the same places. A packet that holds no start is decided by its place.
package struct LossProcess: Sendable {
    /// Length of a slot: the payload of a full packet of 1500 bytes with TCP timestamps (RFC 7323).
    package static let slotBytes: Int64 = 1448
    /// The number of slots after which a burst process starts again from its key; 45 slots are just below 64 KiB.
    package static let slotsPerBlock: Int64 = 45

    package let loss: Loss
    package let random: KeyedRandom

    /// Whether a slot is lost, or a packet without data.
    package func isLost(_ subject: KeyedRandom.Subject) -> Bool { isLost(subject, .loss, at: subject.slot) }

    /// Whether a packet is lost that holds `bytes` of the stream.
    package func isLost(bytes: Range<Int64>, stream: UInt64, direction: Direction, transmission: Int) -> Bool {
        func subject(_ slot: Int64) -> KeyedRandom.Subject {
            .init(stream: stream, direction: direction, slot: slot, transmission: transmission)
        }
        let slots = slots(in: bytes)
        guard slots.isEmpty else { return slots.contains { isLost(subject($0)) } }
        return isLost(subject(bytes.lowerBound), .lossBetweenStarts, at: bytes.lowerBound / Self.slotBytes)
    }

    /// Makes a decision with the probability that the model has at a slot.
    private func isLost(_ subject: KeyedRandom.Subject, _ rule: KeyedRandom.Rule, at slot: Int64) -> Bool {
        switch loss {
        case .random(let ratio):
            return random.happens(ratio, rule, subject)
        case .gilbertElliott(let model):
            var place = subject
            place.slot = slot
            return random.happens(isBad(model, place) ? model.lossInBad : model.lossInGood, rule, subject)
        }
    }

    /// Whether a packet is lost; one without data is decided by its number.
    func isLost(_ packet: Packet, direction: Direction) -> Bool {
        guard packet.kind == .data else { return isLost(packet.subject(direction)) }
        return isLost(
            bytes: packet.bytes, stream: packet.stream, direction: direction, transmission: packet.transmission)
    }

    /// The lost slots that start in a packet of data; none if no slot starts in it.
    func lostSlots(of packet: Packet, direction: Direction) -> [Int64] {
        var subject = packet.subject(direction)
        return slots(in: packet.bytes).filter { slot in
            subject.slot = slot
            return isLost(subject)
        }
    }

    /// The slots that start within `bytes`.
    private func slots(in bytes: Range<Int64>) -> Range<Int64> {
        let size = Self.slotBytes
        let first = (bytes.lowerBound + size - 1) / size
        return first..<max(first, (bytes.upperBound + size - 1) / size)
    }

    /// Whether the model is in its bad state at a slot.
    ///
    /// Walks the chain from the start of the slot's block, so that a block depends on no other. Each transmission has a
    /// chain of its own: it is a later packet. Otherwise a slot in a bad state would be lost for good.
    private func isBad(_ model: GilbertElliott, _ subject: KeyedRandom.Subject) -> Bool {
        var step = subject
        step.slot = subject.slot - subject.slot % Self.slotsPerBlock
        var isBad = random.unit(.lossState, step) < model.badShare
        while step.slot < subject.slot {
            step.slot += 1
            let leaves = isBad ? model.badToGood : model.goodToBad
            if random.happens(leaves, .lossState, step) { isBad.toggle() }
        }
        return isBad
    }
}
