import Synchronization
import Witness

/// The places of a run: each running attempt has one.
///
/// A cell has a place from its start to its end. If no cell waits, cells get further places, and their attempts run at
/// once.
final class Seats: Sendable {
    fileprivate struct State {
        var pace: Pace
        var taken = 0
        /// How many attempts may begin before the next measurement of noise; nil: any number.
        var starts: Int?
        /// The seats whose attempts begin after the next measurement.
        var starting: [Seat] = []
        /// The seats that wait for a place, in order.
        var waiting: [Seat] = []
        /// The seats that have or had a place, and have not ended.
        var seated: Set<ObjectIdentifier> = []
        /// The seats that gave up their places to others while they go on.
        var resting: Set<ObjectIdentifier> = []
        /// How many seats each cell has now.
        var cells: [Int: Int] = [:]
        /// The cells with a seat that had a place while another one had.
        var accompanied: Set<Int> = []

        /// How many places are in use.
        var used: Int { taken - resting.count }

        /// Gives free places to waiting seats.
        mutating func fill() {
            while used < pace.limit, !waiting.isEmpty {
                let seat = waiting.removeFirst()
                seated.insert(ObjectIdentifier(seat))
                taken += 1
                cells[seat.cell, default: 0] += 1
                if taken > 1 { accompanied.formUnion(cells.keys) }
                seat.give()
            }
        }

        mutating func queue(_ seat: Seat) {
            let place = waiting.firstIndex { $0.rank > seat.rank } ?? waiting.endIndex
            waiting.insert(seat, at: place)
        }

        mutating func leave(_ seat: Seat) {
            waiting.removeAll { $0 === seat }
            starting.removeAll { $0 === seat }
            guard seated.remove(ObjectIdentifier(seat)) != nil else { return }
            taken -= 1
            resting.remove(ObjectIdentifier(seat))
            cells[seat.cell, default: 1] -= 1
            if cells[seat.cell] == 0 { cells[seat.cell] = nil }
        }

        /// Takes back the place of a seat for good, and forgets its cell after the cell's last seat.
        mutating func end(_ seat: Seat) {
            leave(seat)
            if cells[seat.cell] == nil { accompanied.remove(seat.cell) }
            fill()
        }
    }

    /// How many attempts may give up their places at once.
    fileprivate let mostIdle: Int
    fileprivate let state: Mutex<State>

    init(_ pace: Pace, mostIdle: Int = 0) {
        self.mostIdle = mostIdle
        state = Mutex(State(pace: pace, starts: pace.starts.map { $0 * Pace.leastEach }))
    }

    /// How many attempts may run at once now.
    var limit: Int { state.withLock { $0.pace.limit } }

    /// How many seats wait for a place, or for the moment to begin.
    var waiting: Int { state.withLock { $0.waiting.count + $0.starting.count } }

    /// Asks for a place; lower ranks get theirs first.
    func queue(cell: Int, rank: Int) -> Seat {
        let seat = Seat(places: self, cell: cell, rank: rank)
        state.withLock { state in
            state.queue(seat)
            state.fill()
        }
        return seat
    }

    /// Adjusts the pace to the machine's noise.
    func hear(_ noise: Noise) {
        state.withLock { state in
            state.pace.hear(noise, isFull: !state.waiting.isEmpty)
            state.starts = state.pace.starts
            for seat in state.starting.prefix(state.starts ?? .max) { seat.give() }
            state.starting.removeFirst(min(state.starting.count, state.starts ?? .max))
            state.fill()
        }
    }

    /// Gives back the place of a cell that ends; returns whether it was disturbed while others ran.
    func end(_ seat: Seat, isDisturbed: Bool) -> Bool {
        state.withLock { state in
            let isTooMuch = isDisturbed && state.accompanied.contains(seat.cell)
            if isTooMuch { state.pace.disturbed() }
            state.end(seat)
            return isTooMuch
        }
    }

    /// Whether an attempt may begin on the seat; if not, the seat gets a signal when to ask again.
    ///
    /// It may not if the limit has become lower, if the seat gave up its place, or if too many begin at this moment.
    func mayBegin(_ seat: Seat) -> Bool {
        state.withLock { state in
            guard state.seated.contains(ObjectIdentifier(seat)) else { return false }
            if state.resting.contains(ObjectIdentifier(seat)) || state.used > state.pace.limit {
                state.leave(seat)
                state.queue(seat)
                state.fill()
                return false
            }
            guard let starts = state.starts else { return true }
            guard starts > 0 else {
                state.starting.append(seat)
                return false
            }
            state.starts = starts - 1
            return true
        }
    }
}

/// A place, or a request for one.
final class Seat: Sendable {
    let cell: Int
    fileprivate let rank: Int
    private let places: Seats
    private let signal: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    fileprivate init(places: Seats, cell: Int, rank: Int) {
        (self.places, self.cell, self.rank) = (places, cell, rank)
        (signal, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    fileprivate func give() { continuation.yield() }

    /// Waits for a place; throws only `CancellationError`.
    func wait() async throws {
        for await _ in signal { return }
        throw CancellationError()
    }

    /// Waits until another attempt may begin; if the limit has become lower, the seat waits for a place again.
    ///
    /// It is for a seat that had a place. Throws only `CancellationError`.
    func renew() async throws {
        while !places.mayBegin(self) { try await wait() }
    }

    /// A further seat for the same cell; it gets a place when no cell waits.
    func another() -> Seat { places.queue(cell: cell, rank: rank % Self.afterCells + Self.afterCells) }

    /// Gives up the place to others, although the attempt goes on.
    func rest() {
        places.state.withLock { state in
            let id = ObjectIdentifier(self)
            guard state.seated.contains(id), state.resting.count < places.mostIdle else { return }
            state.resting.insert(id)
            state.fill()
        }
    }

    /// Slows down after an attempt that was too noisy to count.
    func spoilt() { places.state.withLock { $0.pace.spoilt() } }

    /// Gives back the place, or withdraws the request for one.
    func end() { places.state.withLock { $0.end(self) } }

    /// A rank above those of all cells.
    private static let afterCells = 1 << 32
}
