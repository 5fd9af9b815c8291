import Glibc

/// Memory for packets: slots of one size, taken and given back without an allocation.
///
/// Address space is reserved at once, and the system gives memory only to slots that have been used. What was used last is
/// used first again, so a quiet link stays within a few pages.
@safe struct PacketSlab: ~Copyable {
    /// Bytes that one packet can have.
    let slotBytes: Int
    let capacity: Int
    private(set) var used = 0

    private let memory: UnsafeMutableRawPointer
    private let notes: UnsafeMutablePointer<PacketNote>
    private let mappedBytes: Int
    private var firstFree: Int32 = -1
    private var fresh = 0

    private static let lineBytes = 64

    /// Reserves room for packets of `packetBytes`, `bytes` altogether; throws where there is no address space for it.
    init(packetBytes: Int, bytes: Int) throws(PacketLinkError) {
        // An odd number of cache lines, so that the heads of packets do not all compete for the same few; and more than a
        // packet may have, so that one which fills the slot is known to be too large.
        slotBytes = (packetBytes / Self.lineBytes + 1 | 1) * Self.lineBytes
        let stride = slotBytes + MemoryLayout<PacketNote>.stride
        capacity = min(max(Self.fewestSlots, bytes / stride), Int(Int32.max))
        mappedBytes = capacity * stride
        let mapped = unsafe mmap(
            nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
            throw .resource(attempt: "reserve memory", code: errno)
        }
        unsafe memory = mapped
        unsafe notes = (mapped + capacity * slotBytes).bindMemory(to: PacketNote.self, capacity: capacity)
    }

    deinit {
        unsafe munmap(memory, mappedBytes)
    }

    /// Takes a slot; nil where all are in use.
    mutating func take() -> Int32? {
        let slot: Int32
        if firstFree >= 0 {
            slot = firstFree
            firstFree = unsafe notes[Int(slot)].next
        } else if fresh < capacity {
            slot = Int32(fresh)
            fresh += 1
        } else {
            return nil
        }
        unsafe notes[Int(slot)] = PacketNote()
        used += 1
        return slot
    }

    /// Gives one reference to a slot back, and with the last one the slot.
    mutating func release(_ slot: Int32) {
        let index = checked(slot)
        unsafe notes[index].references -= 1
        guard unsafe notes[index].references == 0 else { return }
        unsafe notes[index].next = firstFree
        firstFree = slot
        used -= 1
    }

    /// What is known of the packet in a slot.
    subscript(slot: Int32) -> PacketNote {
        unsafeAddress { unsafe UnsafePointer(notes + checked(slot)) }
        nonmutating unsafeMutableAddress { unsafe notes + checked(slot) }
    }

    /// The whole slot, to read a packet into.
    func room(_ slot: Int32) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: memory + checked(slot) * slotBytes, count: slotBytes)
    }

    /// The bytes of the packet in a slot.
    func bytes(_ slot: Int32) -> UnsafeBufferPointer<UInt8> {
        let index = checked(slot)
        let start = unsafe (memory + index * slotBytes).assumingMemoryBound(to: UInt8.self)
        return unsafe UnsafeBufferPointer(start: start, count: Int(notes[index].length))
    }

    private func checked(_ slot: Int32) -> Int {
        precondition(slot >= 0 && slot < fresh, "a slot was taken before: \(slot)")
        return Int(slot)
    }

    private static let fewestSlots = 256
}

/// What the link knows of a packet in a slot of its slab.
struct PacketNote: BitwiseCopyable {
    /// Bytes of the packet, as it was read.
    var length: Int32 = 0
    /// How often it will still be delivered.
    var references: Int32 = 1
    /// Where its payload starts, and how long it is.
    var payloadOffset: Int32 = 0
    var payloadCount: Int32 = 0
    /// Which flow it belongs to; −1: none.
    ///
    /// The generation tells whether that is still the same one.
    var flow: Int32 = -1
    var generation: UInt32 = 0
    /// The next free slot.
    var next: Int32 = -1
    /// Sent by the link itself; no offline kind takes it.
    var isReply = false
    var isReset = false
    /// Where its payload ends on the byte line of its sender; −1 where there is none.
    var end: Int64 = -1
    /// Up to where it acknowledges the byte line of its receiver; −1 where it does not.
    var acknowledged: Int64 = -1
}
