import LinkModel

extension Profile {
    /// A loss-free profile from its published figures: kbit/s and one-way milliseconds.
    static func test(_ name: String, down: Int64?, up: Int64?, delayDown: Int64 = 0, delayUp: Int64 = 0) -> Profile {
        Profile(
            name: name,
            conditions: LinkConditions(
                downlink: Conditions(
                    rate: down.map { BitRate(bitsPerSecond: $0 * 1000) }, delay: .milliseconds(delayDown)),
                uplink: Conditions(rate: up.map { BitRate(bitsPerSecond: $0 * 1000) }, delay: .milliseconds(delayUp))))
    }

    static let threeG = Profile.test("3g", down: 780, up: 330, delayDown: 100, delayUp: 100)
    static let lte = Profile.test("lte", down: 50_000, up: 10_000, delayDown: 50, delayUp: 65)
    static let edge = Profile.test("edge", down: 240, up: 200, delayDown: 400, delayUp: 440)
    static let dsl = Profile.test("dsl", down: 2000, up: 256, delayDown: 5, delayUp: 5)
    static let wifi = Profile.test("wifi", down: 40_000, up: 33_000, delayDown: 1, delayUp: 1)
    static let veryBad = Profile.test("very-bad", down: 1000, up: 1000, delayDown: 500, delayUp: 500)
        .losing(percent: 10, direction: .downlink).losing(percent: 10, direction: .uplink)

    func losing(percent: Int64, direction: Direction) -> Profile {
        var copy = self
        copy.conditions[direction].loss = .random(Ratio(partsPerBillion: percent * 10_000_000))
        return copy
    }
}
