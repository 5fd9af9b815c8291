/// Tells the bytes of packs from all others that a connection carries to the client.
///
/// The others are heads, bodies of other answers, and TLS. The host knows the sizes of all bodies, and the sum of heads
/// and TLS.
struct PackBytes {
    private var parts: ArraySlice<(head: Int64, body: Int64, isOfPack: Bool)>
    /// How many bytes the connection carries before the first of `parts`.
    private var before: Int64 = 0
    /// The bytes of packs before the first of `parts`, and those that have arrived.
    private var whole: Int64 = 0
    private var arrived: Int64 = 0
    /// How many bytes of a body do not show that it has begun, because its head may be longer than the average.
    private let slack: Int64

    /// Bytes of a connection with these answers, whose host handed over `sent` bytes in all.
    init(_ answers: [HostLog.Answer], sent: Int64?) {
        let bodies = answers.map(\.transfer.handed).reduce(0, +)
        let others = max(0, (sent ?? 0) - bodies)
        let isSecured = answers.contains(where: \.isSecured)
        // Others may include the records of TLS, or the last block of a body, which is not counted if the client left.
        let areHeads = !isSecured && answers.last?.transfer.cause != .clientClosed
        let average = others / Int64(max(1, answers.count))
        let head = areHeads ? average : min(average, Self.mostHead)
        let handshake = isSecured ? min(others - head * Int64(answers.count), Self.mostHandshake) : 0
        slack = areHeads && answers.count == 1 ? 0 : Self.mostHead / 2
        parts =
            answers.enumerated().map { index, answer in
                let transfer = answer.transfer
                let body = transfer.cause == .complete ? transfer.handed : max(transfer.handed, transfer.planned)
                let isLast = index == answers.count - 1
                return (head + (index == 0 ? handshake : 0), isLast ? body : transfer.handed, answer.isOfPack)
            }[...]
    }

    /// Notes that the connection has carried `total` bytes so far; returns how many more bytes of packs that makes.
    mutating func advance(to total: Int64) -> Int64 {
        let last = arrived
        while let (head, body, isOfPack) = parts.first {
            let reached = min(body, total - before - head)
            if isOfPack, reached > min(slack, body - 1) { arrived = max(arrived, whole + reached) }
            guard reached == body else { break }
            if isOfPack { whole += body }
            before += head + body
            parts.removeFirst()
        }
        return arrived - last
    }

    /// More bytes than the head of an answer has, and than a handshake of TLS.
    private static let mostHead: Int64 = 512
    private static let mostHandshake: Int64 = 4096
}
