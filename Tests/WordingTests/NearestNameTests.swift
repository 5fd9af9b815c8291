import Testing
import Wording

@Suite("The name nearest to a misspelt one")
struct NearestNameTests {
    @Test(arguments: [
        ("rate", "rate"), ("rte", "rate"), ("RATE", "rate"), ("raet", "rate"), ("distr", "distribution"),
        ("dely", "delay"), ("disributoin", "distribution"), ("um", "mu"), ("mtus", "mtu"),
    ])
    func findsNearestName(text: String, name: String) {
        #expect(NearestName.of(text, in: ["rate", "delay", "distribution", "mtu", "mu"]) == name)
    }

    @Test(arguments: ["", "x", "colour", "distances"])
    func findsNoNameThatIsFar(text: String) {
        #expect(NearestName.of(text, in: ["rate", "delay", "distribution"]) == nil)
    }

    @Test func aLongTextIsComparedByItsBeginning() {
        let long = String(repeating: "a", count: 100_000)
        #expect(NearestName.of(long, in: [String(repeating: "a", count: 64), "b"]) != nil)
        #expect(NearestName.distance(long, "") == 64)
    }
}
