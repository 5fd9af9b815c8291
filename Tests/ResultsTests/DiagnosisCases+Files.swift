import Results

extension DiagnosisCase {
    /// Earlier files that are harmed, and files that tries leave behind: three forms of each bug.
    static let keptFiles = harmed + lost + left

    private static let harmed: [DiagnosisCase] = [
        DiagnosisCase(
            "removes what its pattern matches", .harmsOtherFiles, isCommand: true, expect: "error within 4 s",
            words: [.keeps([.otherFile])]
        ) {
            $0.fetch(.part(1, bytes: 0, status: 404))
            $0.end(.error, at: 1, code: 22)
            $0.conduct?.before = [.init(.otherFile, name: "p-notes.txt", problem: "does not exist")]
        },
        DiagnosisCase("writes to what is beside its store", .harmsOtherFiles, words: [.keeps([.otherFile])]) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.conduct?.before = [.init(.otherFile, name: "notes.txt", problem: "has 3 bytes, and not 41")]
        },
        DiagnosisCase(
            "writes through a link, and fails", .harmsOtherFiles, isCommand: true, expect: "error within 4 s",
            words: [.keeps([.linkedFile])]
        ) {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, at: 1, code: 18)
            $0.conduct?.before = [.init(.linkedFile, name: "notes-of-p", problem: "has 40000 bytes, and not 40")]
        },
        DiagnosisCase(
            "removes both, and has the pack", .harmsOtherFiles, isCommand: true,
            words: [.keeps([.otherFile, .oldEdition])]
        ) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.conduct?.before = [
                .init(.otherFile, name: "p-notes.txt", problem: "has different content"), .init(.oldEdition, name: "p"),
            ]
        },
    ]

    private static let lost: [DiagnosisCase] = [
        DiagnosisCase(
            "removes it first", .losesOldEdition, isCommand: true, expect: "error within 4 s",
            words: [.keeps([.oldEdition])]
        ) {
            $0.fetch(.part(1, bytes: 0, status: 404))
            $0.end(.error, at: 1, code: 22)
            $0.conduct?.before = [.init(.oldEdition, name: "p", problem: "does not exist")]
        },
        DiagnosisCase(
            "writes over it", .losesOldEdition, isCommand: true, isTold: false, expect: "error within 4 s",
            words: [.keeps([.oldEdition])]
        ) {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, at: 1, code: 18)
            $0.conduct?.before = [.init(.oldEdition, name: "p", problem: "has 40000 bytes, and not 25000")]
        },
        DiagnosisCase(
            "begins in its place, and goes on there", .losesOldEdition, isCommand: true, expect: "error within 4 s",
            words: [.keeps([.oldEdition])]
        ) {
            $0.fetch([
                .part(1, bytes: 30_000, end: .host, faults: ["cut@30000"]),
                .part(2, from: 30_000, bytes: 10_000, at: 1, end: .host, faults: ["cut@40000"]),
            ])
            $0.end(.error, at: 1, code: 4)
            $0.conduct?.before = [.init(.oldEdition, name: "p", problem: "has 40000 bytes, and not 25000")]
        },
    ]

    private static let left: [DiagnosisCase] = [
        DiagnosisCase(
            "leaves a file for each try", .leavesFilesBehind, isCommand: true, expect: "error within 4 s",
            words: [.leavesNothing]
        ) {
            $0.fetch(cut(1), cut(2), cut(3))
            $0.end(.error, at: 3, code: 18)
            $0.conduct?.copies = 3
        },
        DiagnosisCase(
            "leaves a file in its store for each try", .leavesFilesBehind, expect: "error within 6 s",
            words: [.leavesNothing]
        ) {
            $0.fetch(cut(1), cut(2), cut(3), cut(4))
            $0.end(.error, at: 4, code: -1005)
            $0.conduct?.copies = 4
        },
        DiagnosisCase(
            "has the pack, and files of the tries before", .leavesFilesBehind, isCommand: true,
            words: [.leavesNothing]
        ) {
            $0.fetch(cut(1), cut(2), cut(3), .part(4))
            $0.end(.available)
            $0.conduct?.copies = 4
        },
    ]

    private static func cut(_ number: Int) -> ConductRecord.Fetch {
        .part(number, bytes: 40_000, end: .host, faults: ["cut@40000"])
    }
}
