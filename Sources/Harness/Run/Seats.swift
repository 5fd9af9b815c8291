import Synchronization
import Witness

/// The places of a run: each attempt that goes on has one, whichever cell it is of.
///
/// A cell has a place from its start to its end. Where no cell waits for one, attempts of a cell get more, and go on side by side.
final class Seats: Sendable {
    private struct State {
        var pace: Pace
        var taken = 0
        /// How many attempts may begin before the machine is heard again; nil: any number.
        var starts: Int?
        /// Those with a place whose attempts are to begin then.
        var starting: [Seat] = []
        /// In the order in which they come to have a place.
        var waiting: [Seat] = []
        /// Those that have or had one, and have not ended.
        var seated: Set<ObjectIdentifier> = []
        /// Those of them whose places others may have.
        var resting: Set<ObjectIdentifier> = []
        /// How many seats a cell has now.
        var cells: [Int: Int] = [:]
        var accompanied: Set<Int> = []

        /// How many places are in use.
        var used: Int { taken - resting.count }

        /// Gives places to those that wait.
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
    }

    /// How many attempts may leave their places to others at once.
    private let mostIdle: Int
    private let state: Mutex<State>

    init(_ pace: Pace, mostIdle: Int = 0) {
        self.mostIdle = mostIdle
        state = Mutex(State(pace: pace, starts: pace.starts.map { $0 * Pace.leastEach }))
    }

    /// How many may go on at once now.
    var limit: Int { state.withLock { $0.pace.limit } }

    /// Asks for a place; who has a lower rank has it first.
    func queue(cell: Int, rank: Int) -> Seat {
        let seat = Seat(places: self, cell: cell, rank: rank)
        state.withLock { state in
            state.queue(seat)
            state.fill()
        }
        return seat
    }

    /// Takes note of how noisy the machine is.
    func hear(_ noise: Noise) {
        state.withLock { state in
            state.pace.hear(noise, isFull: !state.waiting.isEmpty)
            state.starts = state.pace.starts
            for seat in state.starting.prefix(state.starts ?? .max) { seat.give() }
            state.starting.removeFirst(min(state.starting.count, state.starts ?? .max))
            state.fill()
        }
    }

    /// Takes note of an attempt that was too noisy to count.
    func spoilt() { state.withLock { $0.pace.spoilt() } }

    /// Takes the place of a cell that is at its end; says whether it was disturbed, and others had a part in that.
    func end(_ seat: Seat, isDisturbed: Bool) -> Bool {
        state.withLock { state in
            let isTooMuch = isDisturbed && state.accompanied.contains(seat.cell)
            if isTooMuch { state.pace.disturbed() }
            state.leave(seat)
            state.fill()
            return isTooMuch
        }
    }

    fileprivate func end(_ seat: Seat) {
        state.withLock { state in
            state.leave(seat)
            state.fill()
        }
    }

    /// Whether an attempt may begin on the seat; who may not is told when to ask again.
    ///
    /// None may where fewer are to go on by now, where the seat rested, and where many begin at this moment.
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

    fileprivate func rest(_ seat: Seat) {
        state.withLock { state in
            guard state.seated.contains(ObjectIdentifier(seat)), state.resting.count < mostIdle else { return }
            state.resting.insert(ObjectIdentifier(seat))
            state.fill()
        }
    }
}

/// A place, or the wish for one.
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

    /// Returns when there is a place; throws `CancellationError` only.
    func wait() async throws {
        for await _ in signal { return }
        throw CancellationError()
    }

    /// Returns when another attempt may begin: where fewer are to go on by now, the seat waits for a place.
    ///
    /// For a seat that had one. Throws `CancellationError` only.
    func renew() async throws {
        while !places.mayBegin(self) { try await wait() }
    }

    /// Another one for the same cell, for when no cell waits.
    func another() -> Seat { places.queue(cell: cell, rank: rank % Self.afterCells + Self.afterCells) }

    /// Leaves the place to others, although the attempt goes on.
    func rest() { places.rest(self) }

    /// Takes note of an attempt that was too noisy to count.
    func spoilt() { places.spoilt() }

    /// Gives the place back, or the wish for one.
    func end() { places.end(self) }

    /// More than there are cells.
    private static let afterCells = 1 << 32
}
