import Glibc

/// Memory for packets: slots of one size, taken and released without an allocation.
///
/// All address space is reserved at once, but the system gives memory only to slots that have been used. The slot that
/// was released last is taken first, so a quiet link needs only a few pages.
@safe struct PacketSlab: ~Copyable {
    /// The bytes of a slot, more than the largest packet has.
    let slotBytes: Int
    let capacity: Int
    private(set) var used = 0

    private let memory: UnsafeMutableRawPointer
    private let notes: UnsafeMutablePointer<PacketNote>
    private let mappedBytes: Int
    private var firstFree: Int32 = -1
    private var fresh = 0

    private static let lineBytes = 64

    /// Reserves `bytes` in total for packets of up to `packetBytes` bytes; throws if there is no address space.
    init(packetBytes: Int, bytes: Int) throws(PacketLinkError) {
        // An odd number of cache lines, so that the heads of packets do not compete for the same few lines. And more
        // bytes than a packet may have, so that a packet that fills its slot is known to be too large.
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

    /// Takes a slot; nil if all are in use.
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

    /// Releases one reference to a slot, and with the last one the slot itself.
    mutating func release(_ slot: Int32) {
        let index = checked(slot)
        unsafe notes[index].references -= 1
        guard unsafe notes[index].references == 0 else { return }
        unsafe notes[index].next = firstFree
        firstFree = slot
        used -= 1
    }

    /// The note about the packet in a slot.
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

/// The link's note about a packet in a slot.
struct PacketNote: BitwiseCopyable {
    /// The bytes of the packet, as it was read.
    var length: Int32 = 0
    /// The number of deliveries, copies included, that are still to come.
    var references: Int32 = 1
    /// The offset of its payload, and the payload's length in bytes.
    var payloadOffset: Int32 = 0
    var payloadCount: Int32 = 0
    /// The slot of its flow; −1 if it has none.
    ///
    /// The generation shows whether the slot still holds the same flow.
    var flow: Int32 = -1
    var generation: UInt32 = 0
    /// The next slot in a list: of free slots, or of a ``SlotQueue``; −1 at the end.
    var next: Int32 = -1
    /// Whether the link itself sends it; no kind of offline refuses it.
    var isReply = false
    var isReset = false
    /// The end of its payload on the byte line of its sender; −1 if there is none.
    var end: Int64 = -1
    /// The place on the byte line of its receiver up to which it acknowledges; −1 if it does not.
    var acknowledged: Int64 = -1
}
