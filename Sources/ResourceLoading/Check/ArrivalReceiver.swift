import LinuxSupport
import Synchronization

/// Takes the bytes of an answer, and notes when they arrive.
final class ArrivalReceiver: TransferReceiver {
    private struct Arrival {
        var at: Int64
        /// When its first byte did: what follows within a millisecond is the same arrival.
        var began: Int64
        /// All bytes up to and with this arrival.
        var total: Int64
    }

    /// How many bytes were asked for: a host that sends more is left.
    private let most: Int64
    private let began = MonotonicClock.now
    private let arrivals = Mutex<[Arrival]>([])

    init(most: Int64) { self.most = most }

    func received(_ head: ResponseHead) -> Bool { head.status == 206 || head.status == 200 }

    func received(_ bytes: RawSpan) -> Bool {
        let now = MonotonicClock.now
        return arrivals.withLock { arrivals in
            let total = (arrivals.last?.total ?? 0) + Int64(bytes.byteCount)
            var arrival = Arrival(at: now, began: now, total: total)
            // One arrival a millisecond bounds the list.
            if let last = arrivals.last, now - last.began < 1_000_000 {
                arrival.began = last.began
                arrivals.removeLast()
            }
            arrivals.append(arrival)
            return total <= most
        }
    }

    /// When the last byte arrived, in nanoseconds of CLOCK_MONOTONIC; nil where none did.
    var last: Int64? { arrivals.withLock { $0.last?.at } }

    /// Bits a second; nil where nothing arrived.
    ///
    /// It counts from the first third of the bytes on, for in that a connection finds its speed; of what arrived at once, from
    /// the request on.
    var rate: Double? {
        arrivals.withLock { arrivals in
            guard let last = arrivals.last, last.at > began else { return nil }
            guard let first = arrivals.first(where: { $0.total >= last.total / 3 }), last.at > first.at else {
                return Double(last.total) * 8e9 / Double(last.at - began)
            }
            return Double(last.total - first.total) * 8e9 / Double(last.at - first.at)
        }
    }
}
