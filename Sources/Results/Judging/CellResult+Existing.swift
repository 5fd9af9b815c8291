extension CellResult {
    /// What the client did with a file that existed before, as a sentence, if it shows nothing else; otherwise nil.
    var useOfExisting: String? {
        let uses: [(verdict: Verdict, text: String, isSo: (AttemptRecord) -> Bool)] = [
            (.fail, "it accepted the existing file as the pack, and requested nothing", \.tookOldEdition),
            (.fail, "it left the existing file alone, and requested nothing", \.leftOldEdition),
            (.fail, "it continued the existing file as a part of the pack", \.wentOnWithOther),
            (.fail, "it did not continue the existing part of the pack", \.leftPartAlone),
            (.infrastructure, "it asked whether the existing file was still good", \.askedAboutOldEdition),
        ]
        guard !countedAttempts.isEmpty else { return nil }
        return uses.first { $0.verdict == verdict && countedAttempts.allSatisfy($0.isSo) }?.text
    }
}

extension AttemptRecord {
    /// Whether it ended successfully with the existing file, and tried to fetch nothing.
    fileprivate var tookOldEdition: Bool {
        conduct?.tookOldEdition == true && clientEnd?.wasStopped != true && clientEnd?.exitStatus == 0
    }

    /// Whether it ended by itself with an error, tried to fetch nothing, and had no other reason than the existing file.
    fileprivate var leftOldEdition: Bool {
        conduct?.tookOldEdition == true && conduct?.outages.isEmpty == true && conduct?.lookupDelaySeconds == nil
            && clientEnd?.wasStopped != true && clientEnd?.exitStatus ?? 0 != 0 && clientEnd?.signal == nil
    }

    /// Whether a part of the pack existed, and the client did not resume it.
    fileprivate var leftPartAlone: Bool { conduct.map { $0.partBefore != nil && !$0.wentOnWithBefore } ?? false }

    /// Whether it resumed an existing file that is neither a part of the pack nor an edition whose loss counts.
    fileprivate var wentOnWithOther: Bool {
        conduct?.wentOnWithBefore == true
            && conduct?.before?.contains { $0.kind == .privateEdition || $0.kind == .linkedFile } == true
    }

    /// Whether it kept the existing file because the host said that it is still good (304).
    ///
    /// The findings only mean that no bytes crossed the link, and so are consequences.
    fileprivate var askedAboutOldEdition: Bool {
        let consequences: Set<Attribution> = [.linkBypassed, .fasterThanIdeal, .faultNotPlayed]
        let reasons = allFindings.map(\.attribution).filter { $0.row.subject != .client }
        return conduct?.keptOldEdition == true && consequences.isSuperset(of: reasons)
    }
}
