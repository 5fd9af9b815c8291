/// A loss process: which packets of a direction are lost.
package enum Loss: Hashable, Sendable {
    /// Each packet by itself with the same probability.
    case random(Ratio)
    /// Bursts, by the two-state model of Gilbert (1960) and Elliott (1963).
    case gilbertElliott(GilbertElliott)

    /// The share of packets lost in the long run.
    package var mean: Double {
        switch self {
        case .random(let ratio): ratio.fraction
        case .gilbertElliott(let model): model.mean
        }
    }
}

/// The Gilbert–Elliott loss model, in the parameters of tc-netem(8): `gemodel p r 1-h 1-k`.
package struct GilbertElliott: Hashable, Sendable {
    /// Chance at each packet to go from the good state to the bad (p).
    package var goodToBad: Ratio
    /// Chance at each packet to go from the bad state to the good (r).
    package var badToGood: Ratio
    /// Loss in the bad state (1 − h); 100 % by default.
    package var lossInBad: Ratio
    /// Loss in the good state (1 − k); 0 % by default.
    package var lossInGood: Ratio

    package init(goodToBad: Ratio, badToGood: Ratio, lossInBad: Ratio = .one, lossInGood: Ratio = .zero) {
        self.goodToBad = goodToBad
        self.badToGood = badToGood
        self.lossInBad = lossInBad
        self.lossInGood = lossInGood
    }

    /// The share of time in the bad state.
    package var badShare: Double {
        let sum = goodToBad.fraction + badToGood.fraction
        return sum == 0 ? 0 : goodToBad.fraction / sum
    }

    /// The share of packets lost in the long run.
    package var mean: Double {
        badShare * lossInBad.fraction + (1 - badShare) * lossInGood.fraction
    }
}
