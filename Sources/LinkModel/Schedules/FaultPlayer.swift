/// Plays the packet faults of a schedule in one direction: finds those that name a packet.
///
/// A packet costs a look-up or two, however long the list is, and no allocation.
struct FaultPlayer: Sendable {
    typealias Fault = FaultSchedule.PacketFault

    /// The faults of this direction, in the order of the schedule.
    let faults: [Fault]
    /// The indices in ``faults`` of those that name the last packet, in order.
    private(set) var matches: [Int] = []
    private var isMet: [Bool]
    private var anchors: [Anchor] = []
    private var heads: [Key: Int32] = [:]
    /// The number of packets so far: of all streams, and of each stream that has a fault with a packet's number.
    private var packets: Int64 = 0
    private var packetsByStream: [UInt64: Int64] = [:]
    private var hasFaultsOfAny = false
    /// The number of the packet that each fault matched last, because a packet may hold several anchors of one fault.
    private var stamps: [Int64]

    /// A byte or a number that a fault names; the anchors of one key form a linked list.
    private struct Anchor {
        var offset: Int64
        var fault: Int32
        var next: Int32
    }

    private struct Key: Hashable {
        var stream: UInt64
        var isAny: Bool
        var kind: UInt8
        var place: Int64
    }

    /// How many bytes of data share a list of anchors: 2 to this power, somewhat more than a packet.
    private static let bucketBits: Int64 = 11
    private static let ordinalKind: UInt8 = .max

    /// Keeps the faults of this direction; `random` numbers the streams.
    init(_ faults: [Fault], direction: Direction, random: KeyedRandom) {
        // A repeated line is a decision about two packets of the same place.
        var seen: Set<Fault> = []
        let own = faults.filter { $0.direction == direction && seen.insert($0).inserted }
        self.faults = own
        isMet = Array(repeating: false, count: own.count)
        stamps = Array(repeating: 0, count: own.count)
        for (index, fault) in own.enumerated() {
            var stream: UInt64 = 0
            if case .named(let name) = fault.connection { stream = random.streamKey(name) }
            insert(fault, index: Int32(index), stream: stream)
        }
    }

    /// How many faults no packet has met yet.
    var unmet: Int { isMet.count { !$0 } }

    /// Sets ``matches`` to the faults that name a packet.
    mutating func match(_ packet: Packet) {
        guard !anchors.isEmpty else { return }
        matches.removeAll(keepingCapacity: true)
        packets += 1
        collectOwn(packet, stream: packet.stream)
        if packet.alias != 0 { collectOwn(packet, stream: packet.alias) }
        if hasFaultsOfAny {
            collect(packet, stream: 0, isAny: true)
            walk(Key(stream: 0, isAny: true, kind: Self.ordinalKind, place: packets)) { _, _ in true }
        }
        if matches.count > 1 { matches.sort() }
    }

    /// Records that the fault at an index of ``faults`` had its effect.
    mutating func meet(_ index: Int) { isMet[index] = true }

    private mutating func collectOwn(_ packet: Packet, stream: UInt64) {
        collect(packet, stream: stream, isAny: false)
        if let seen = packetsByStream[stream] {
            packetsByStream[stream] = seen + 1
            walk(Key(stream: stream, isAny: false, kind: Self.ordinalKind, place: seen + 1)) { _, _ in true }
        }
    }

    private mutating func collect(_ packet: Packet, stream: UInt64, isAny: Bool) {
        let transmission = packet.transmission
        guard packet.kind == .data else {
            let key = Key(stream: stream, isAny: isAny, kind: packet.kind.rawValue, place: packet.bytes.lowerBound)
            walk(key) { fault, _ in fault.isOf(transmission: transmission) }
            return
        }
        let (lower, upper) = (packet.bytes.lowerBound, packet.bytes.upperBound)
        for bucket in (lower >> Self.bucketBits)...(max(lower, upper - 1) >> Self.bucketBits) {
            walk(Key(stream: stream, isAny: isAny, kind: packet.kind.rawValue, place: bucket)) { fault, offset in
                let isHit =
                    lower == upper
                    ? fault.isOfNoData && offset == lower : fault.isOfData && offset >= lower && offset < upper
                return isHit && fault.isOf(transmission: transmission)
            }
        }
    }

    private mutating func walk(_ key: Key, _ isHit: (Fault, Int64) -> Bool) {
        var index = heads[key] ?? -1
        while index >= 0 {
            let anchor = anchors[Int(index)]
            let fault = Int(anchor.fault)
            if stamps[fault] != packets, isHit(faults[fault], anchor.offset) {
                stamps[fault] = packets
                matches.append(fault)
            }
            index = anchor.next
        }
    }

    private mutating func insert(_ fault: Fault, index: Int32, stream: UInt64) {
        let isAny = fault.connection == .any
        if isAny { hasFaultsOfAny = true }
        func key(_ kind: UInt8, _ place: Int64) -> Key { Key(stream: stream, isAny: isAny, kind: kind, place: place) }
        switch fault.place {
        case .data(let offset, let length):
            for anchor in stride(from: offset, to: offset + max(1, length ?? 1), by: Int(LossProcess.slotBytes)) {
                append(index, at: anchor, to: key(PacketKind.data.rawValue, anchor >> Self.bucketBits))
            }
        case .handshake: append(index, at: 0, to: key(PacketKind.handshake.rawValue, 0))
        case .lookup: append(index, at: 0, to: key(PacketKind.lookup.rawValue, 0))
        case .acknowledgement(let number):
            append(index, at: number, to: key(PacketKind.acknowledgement.rawValue, number))
        case .reset: append(index, at: 0, to: key(PacketKind.reset.rawValue, 0))
        case .ordinal(let number):
            if !isAny { packetsByStream[stream] = 0 }
            append(index, at: number, to: key(Self.ordinalKind, number))
        }
    }

    private mutating func append(_ fault: Int32, at offset: Int64, to key: Key) {
        anchors.append(Anchor(offset: offset, fault: fault, next: heads[key] ?? -1))
        heads[key] = Int32(anchors.count - 1)
    }
}

extension FaultSchedule.PacketFault {
    fileprivate func isOf(transmission: Int) -> Bool { self.transmission.map { $0 == transmission } ?? true }

    fileprivate var isOfData: Bool {
        if case .data(_, 0) = place { false } else { true }
    }

    fileprivate var isOfNoData: Bool {
        if case .data(_, let length) = place { length ?? 0 == 0 } else { false }
    }

    /// The offsets in the stream to record for a packet that it has met.
    func bytes(of packet: Packet) -> Range<Int64> {
        guard case .data(let offset, let length) = place else { return packet.bytes }
        switch length {
        case 0?: return offset..<offset
        case let length? where length <= LossProcess.slotBytes: return offset..<offset + length
        case nil where offset < packet.bytes.upperBound: return offset..<packet.bytes.upperBound
        default: return packet.bytes
        }
    }

    /// How many slots of a stream it names; 1 if it names no range of bytes.
    var slots: Int64 {
        guard case .data(_, let length?) = place else { return 1 }
        return max(1, (length + LossProcess.slotBytes - 1) / LossProcess.slotBytes)
    }
}
