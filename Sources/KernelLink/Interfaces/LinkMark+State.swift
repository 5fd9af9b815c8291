package import LinkModel

extension LinkMark {
    /// What is to be found where no shape was changed: `ud.01abc`.
    package struct State: Hashable, Sendable {
        package var directions: Set<Direction>
        /// 0 where it is not known yet.
        package var digest: UInt32

        /// It has as many characters whatever it is, so that there is always room for it.
        static let mostDigests: UInt32 = 0xf_ffff

        package init(directions: Set<Direction>, digest: UInt32 = 0) {
            (self.directions, self.digest) = (directions, digest)
        }

        /// Reads what follows the form; nil where that is none.
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
