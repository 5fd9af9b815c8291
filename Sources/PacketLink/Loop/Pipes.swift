internal import LinkModel

/// The pipes of both directions, each in one place for as long as the link is up.
///
/// They are large, so a copy of one for a question to it would cost an allocation; an address costs nothing.
@safe struct Pipes: ~Copyable {
    /// In the order of ``LinkModel/Direction``'s cases.
    private let pipes: UnsafeMutablePointer<PacketPipe>

    init(_ pipe: (Direction) -> PacketPipe) {
        unsafe pipes = .allocate(capacity: 2)
        unsafe pipes.initialize(to: pipe(.downlink))
        unsafe (pipes + 1).initialize(to: pipe(.uplink))
    }

    deinit {
        unsafe pipes.deinitialize(count: 2)
        unsafe pipes.deallocate()
    }

    subscript(direction: Direction) -> PacketPipe {
        unsafeAddress { unsafe UnsafePointer(address(direction)) }
        nonmutating unsafeMutableAddress { unsafe address(direction) }
    }

    private func address(_ direction: Direction) -> UnsafeMutablePointer<PacketPipe> {
        unsafe direction == .downlink ? pipes : pipes + 1
    }
}
