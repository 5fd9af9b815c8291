import Testing

@testable import headwind

/// The result of a hunt as text.
@Suite struct HuntTextTests {
    @Test(
        "a failure comes without faults only if it did",
        arguments: [
            ((0, 0), (0, 0), "not played again"), ((1, 12), (0, 0), "it came back in 1 of 12 further attempts"),
            (
                (5, 12), (4, 12),
                "it also comes without any fault: in 5 of 12 attempts with these faults, and in 4 of 12 without"
            ),
            (
                (3, 68), (0, 68),
                "it came in 3 of 68 attempts with these faults, and in 0 of 68 without: too seldom to be sure"
            ),
        ] as [((Int, Int), (Int, Int), String)])
    func saysHowOften(_ with: (Int, Int), _ without: (Int, Int), _ text: String) {
        #expect(HuntText.returns(with.0, of: with.1, without: without.0, of: without.1) == text)
    }
}
