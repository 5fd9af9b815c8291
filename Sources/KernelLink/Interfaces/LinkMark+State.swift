package import LinkModel

extension LinkMark {
    /// The state of a shape that no other program has changed: `ud.01abc`.
    package struct State: Hashable, Sendable {
        package var directions: Set<Direction>
        /// See ``InterfaceLinks/digest(of:on:_:)``; 0: not known yet.
        package var digest: UInt32

        /// The greatest digest; each is written in five digits, so that there is always room for it.
        static let mostDigests: UInt32 = 0xf_ffff

        package init(directions: Set<Direction>, digest: UInt32 = 0) {
            (self.directions, self.digest) = (directions, digest)
        }

        /// Reads the two parts that follow the form; nil if they are not a state.
        init?(_ parts: [String]) {
            guard parts.count == 2, parts[0].allSatisfy({ "ud-".contains($0) }),
                let digest = UInt32(parts[1], radix: 16), digest <= Self.mostDigests
            else { return nil }
            let all: [(Direction, Character)] = [(.uplink, "u"), (.downlink, "d")]
            self.init(directions: Set(all.filter { parts[0].contains($0.1) }.map(\.0)), digest: digest)
        }

        var text: String {
            let number = String(digest, radix: 16)
            return "." + (directions.contains(.uplink) ? "u" : "-") + (directions.contains(.downlink) ? "d" : "-") + "."
                + String(repeating: "0", count: 5 - number.count) + number
        }
    }
}
