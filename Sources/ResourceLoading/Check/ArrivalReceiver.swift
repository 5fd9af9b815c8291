import LinuxSupport
import Synchronization

/// Receives the bytes of an answer, and records when they arrive.
final class ArrivalReceiver: TransferReceiver {
    private struct Arrival {
        var at: Int64
        /// When its first byte arrived; bytes that follow within a millisecond belong to the same arrival.
        var began: Int64
        /// Bytes up to and including this arrival.
        var total: Int64
    }

    /// How many bytes were asked for; the answer is cut off if a host sends more.
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
            // One arrival for each millisecond limits the length of the list.
            if let last = arrivals.last, now - last.began < 1_000_000 {
                arrival.began = last.began
                arrivals.removeLast()
            }
            arrivals.append(arrival)
            return total <= most
        }
    }

    /// When the last byte arrived, in nanoseconds of CLOCK_MONOTONIC; nil if none did.
    var last: Int64? { arrivals.withLock { $0.last?.at } }

    /// The rate in bits per second; nil if nothing arrived.
    ///
    /// It leaves out the first third of the bytes, in which a connection still speeds up. If all bytes arrived at once,
    /// it counts from the request on.
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
