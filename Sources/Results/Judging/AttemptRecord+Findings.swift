extension AttemptRecord {
    /// The findings of the harness and those that follow from the numbers, without mere consequences of others.
    ///
    /// Each has the attempt's number.
    package var allFindings: [Finding] {
        let found = (findings + callbackFindings + pathFindings + linkFindings + byteFindings).map {
            Finding($0.attribution, $0.detail, attempt: number)
        }
        let present = Set(found.map(\.attribution))
        return found.filter { $0.attribution.row.causes.isDisjoint(with: present) }
    }

    /// Whether the client did something in this attempt that explains missing data.
    var isClientAtFault: Bool { allFindings.contains { $0.attribution.row.subject == .client } }

    private var callbackFindings: [Finding] {
        requests.filter { $0.callbacks > 1 }.map {
            Finding(.callbackRepeated, "'\($0.id)' was called back \($0.callbacks) times")
        }
    }

    /// The share by which an attempt may be faster than ideal, which is itself within 5 % of real TCP.
    package static let allowedHaste = 0.02

    private var pathFindings: [Finding] {
        guard let taken = samples[.timeToAvailable].value,
            let limit = least?[.timeToAvailable] ?? ideal[.timeToAvailable], taken < limit * (1 - Self.allowedHaste)
        else { return [] }
        let (was, least) = Quantity.pair(Quantity(taken, .seconds), limit: Quantity(limit, .seconds))
        let name = self.least == nil ? "ideal" : "the minimum over this link"
        return [Finding(.fasterThanIdeal, "time_to_available was \(was), and \(name) is \(least)")]
    }

    private var linkFindings: [Finding] {
        link.filter { $0.isWithinTolerance == false }.map { measurement in
            let attribution: Attribution =
                switch measurement.property {
                case .rate: .rateOff
                case .delay, .rtt: .delayOff
                case .loss: .lossOff
                }
            return Finding(attribution, measurement.text)
        }
    }

    private var byteFindings: [Finding] {
        guard let bytes, !bytes.agrees else { return [] }
        return [Finding(bytes.isAroundLink ? .linkBypassed : .bytesDisagree, bytes.text)]
    }
}
