import Netlink

/// What both ends of a cable have, so that nobody must ask who is at the other one.
enum Cable {
    /// Both ends have it: what one sends to itself the other one takes for its own.
    ///
    /// Cables never meet.
    private static let hardware: [UInt8] = [0x02, 0x77, 0, 0, 0, 1]

    /// What must be before it is up: no question for a neighbour is to be lost on the link, nor to take its time.
    static func prepare(_ index: UInt32, by socket: borrowing RouteSocket) throws(NetlinkError) {
        try socket.request(InterfaceChange(asksForNeighbours: false, hardware: hardware).message(for: index))
    }
}
