extension Symptoms {
    /// An answer that a command kept, so that it requested nothing when it was started again.
    var keptAnswer: BugDiagnosis? {
        guard isMissed || !findings.isDisjoint(with: [.contentIncomplete, .contentWrong]),
            let again = conduct.startAgain, let status = again.exitStatus, let last = conduct.fetches?.last,
            last.hasFailed, last.beganSeconds < again.beganSeconds
        else { return nil }
        let pause = again.beganSeconds - last.endedSeconds
        let what = "\(text(last)) was \(answer(last)); started again \(text(pause)) later, the client requested nothing"
        if let code = last.status, code >= 400 {
            // An answer without `max-age` may be kept for a while: RFC 9111 section 4.2.2.
            // A command that now ends with another status, or says something else, such as that there is a lock or a
            // part, has another reason to request nothing.
            guard let allowed = last.freshSeconds, pause > allowed, let first = conduct.starts?.first,
                first.exitStatus == status, first.lastWords == again.lastWords
            else { return nil }
            return diagnosis(
                .cachesErrors, last,
                "\(what), and ended with status \(status), although the host allows caching for only \(text(allowed))"
            )
        }
        guard last.isOfPack, attempt.requests.contains(where: { $0.result == .available }) else { return nil }
        return diagnosis(
            .keepsPartialAsWhole, last, at: last.range.upperBound,
            "\(what), and accepted the part up to byte \(last.range.upperBound) as the whole pack")
    }

    /// A pack that two instances of a command wrote at the same time, although all of it arrived.
    func mixed(_ spoilt: SpoiltPack) -> BugDiagnosis? {
        guard let (first, second) = conduct.sideBySide, !spoilt.isTamperedWith, spoilt.leftBytes != nil,
            Self.prefix(spoilt.tries) >= spoilt.pack.bytes,
            let later = spoilt.tries.first(where: { $0.beganSeconds >= second.beganSeconds }),
            later.beganSeconds < first.endedSeconds,
            spoilt.tries.contains(where: {
                $0.nanoseconds < later.nanoseconds && $0.endedSeconds > later.beganSeconds
                    && $0.range.overlaps(later.range)
            })
        else { return nil }
        return diagnosis(
            .mixesDownloads, later, at: spoilt.wrongByte,
            "\(text(later)) came while another instance was downloading, and the file that remains is not the pack")
    }
}

extension ConductRecord.Fetch {
    /// How long the answer may be cached, by `max-age` of RFC 9111 section 5.2.2.1; nil if the host does not say.
    fileprivate var freshSeconds: Double? {
        guard let field = fault("cache-control"), let age = field.firstRange(of: "max-age=") else { return nil }
        return Double(field[age.upperBound...].prefix(while: \.isNumber))
    }
}
