import Testing
import Wording

@Suite("Numbers and lists in sentences")
struct CountingTests {
    @Test(arguments: [(0, "0 packs"), (1, "1 pack"), (2, "2 packs")])
    func onlyOneThingIsInTheSingular(number: Int, text: String) {
        #expect(number.counted("pack") == text)
    }

    @Test(arguments: [(0, ""), (1, "1"), (3, "1, 2, 3"), (4, "1, 2, 3, …")])
    func aListNamesTheFirst(count: Int, text: String) {
        #expect((1...4).prefix(count).map { "\($0)" }.listed(3) == text)
    }
}
