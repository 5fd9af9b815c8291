extension Symptoms {
    /// What became of files that were there before, and what tries left.
    var fileDiagnoses: [BugDiagnosis] { harmedFiles + [leftFiles].compactMap { $0 } }

    private var harmedFiles: [BugDiagnosis] {
        guard isBroken("keeps") else { return [] }
        return (conduct.before ?? []).filter { $0.problem != nil }.map { harmed in
            BugDiagnosis(harmed.kind == .otherFile ? .harmsOtherFiles : .losesOldEdition, harmed.text)
        }
    }

    /// As many files that begin as the pack does as no download needs, by tries that began at its first byte.
    private var leftFiles: BugDiagnosis? {
        guard isBroken("leftovers"), let copies = conduct.copies, copies > ConductRecord.mostCopies else { return nil }
        for tries in conduct.tries {
            let begun = tries.filter { $0.range.lowerBound == 0 && !$0.range.isEmpty }
            guard begun.count >= copies, let last = begun.last else { continue }
            return diagnosis(
                .leavesFilesBehind, last,
                "\(copies) files were left that begin as the pack does, and \(begun.count) tries brought its first byte"
            )
        }
        return nil
    }
}
