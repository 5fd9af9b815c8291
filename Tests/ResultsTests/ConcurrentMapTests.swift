import Results
import Testing

@Suite("Concurrent map")
struct ConcurrentMapTests {
    /// Later elements finish sooner.
    @Test(arguments: [0, 1, 2, 1000])
    func keepsTheOrder(count: Int) {
        let made = Array(0..<count).concurrentMap { number in
            var value = number
            for step in 0..<(count - number) * 100 { value = (value &* 31 &+ step) & 0xFFFF }
            return (number, value)
        }
        #expect(made.map(\.0) == Array(0..<count))
    }

    @Test func keepsNilResults() {
        let made = Array(0..<100).dropFirst(10).concurrentMap { $0.isMultiple(of: 2) ? $0 : nil }
        #expect(made == (10..<100).map { $0.isMultiple(of: 2) ? $0 : nil })
    }

    @Test(arguments: [(0, []), (1, [[0]]), (3, [[0, 1, 2]]), (7, [[0, 1, 2], [3, 4, 5], [6]])])
    func stretchesHaveEachElementOnce(count: Int, stretches: [[Int]]) {
        #expect(Array(0..<count).stretches(of: 3).map(Array.init) == stretches)
    }
}
