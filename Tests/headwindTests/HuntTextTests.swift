import Testing

@testable import headwind

/// The result of a hunt as text.
@Suite struct HuntTextTests {
    @Test(
        "a failure comes without faults only if it did",
        arguments: [
            ((0, 0), (0, 0), "not played again"),
            ((1, 12), (0, 0), "it came back in 1 of 12 further attempts: too seldom"),
            (
                (4, 4), (0, 0),
                "it came back in 4 of 4 further attempts; it could not be compared with attempts without faults"
            ),
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

    /// Hundreds of faults may have been tried, although none happened.
    @Test("a hunt without an attempt that had all of its faults has not found that there is no bug")
    func saysWhatItFound() {
        #expect(HuntText.found(0, triedNothing: true) == "No attempt had all of its faults:")
        #expect(HuntText.found(0, triedNothing: false) == "No bug found in")
        #expect(HuntText.found(1, triedNothing: true) == "1 bug found in")
        #expect(HuntText.found(2, triedNothing: false) == "2 bugs found in")
    }
}
