extension Symptoms {
    /// Bugs with files that existed before the start, and with files that tries left.
    var fileDiagnoses: [BugDiagnosis] { harmedFiles + [leftFiles].compactMap { $0 } }

    private var harmedFiles: [BugDiagnosis] {
        guard isBroken("keeps") else { return [] }
        // A client resumes the file at its output because its user said that the file is a part.
        let goesOn = conduct.wentOnWithBefore
        return (conduct.before ?? []).filter { $0.problem != nil && !(goesOn && $0.kind.isAtOutput) }.map {
            BugDiagnosis($0.kind.bug, $0.text)
        }
    }

    /// More files that begin like the pack than any download needs, left by tries that began at its first byte.
    private var leftFiles: BugDiagnosis? {
        // A client that was stopped could not remove them.
        guard isBroken("leftovers"), attempt.clientEnd?.wasStopped != true, let copies = conduct.copies,
            copies > ConductRecord.mostCopies
        else { return nil }
        for tries in conduct.tries {
            let begun = tries.filter { $0.range.lowerBound == 0 && !$0.range.isEmpty }
            guard begun.count >= copies, let last = begun.last else { continue }
            return diagnosis(
                .leavesFilesBehind, last,
                "\(copies) files that begin like the pack remain, and \(begun.count) tries brought its first byte"
            )
        }
        return nil
    }
}

extension ConductRecord.Before.Kind {
    /// The bug of a client that damages a file of this kind.
    fileprivate var bug: ClientBug {
        switch self {
        case .otherFile, .linkedFile: .harmsOtherFiles
        case .oldEdition, .part: .losesOldEdition
        case .privateEdition: .widensPermissions
        }
    }
}
