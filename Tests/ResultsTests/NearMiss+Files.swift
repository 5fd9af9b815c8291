import Results

extension NearMiss {
    /// Files that exist before, and files that are left.
    static let files = others + editions + leftovers

    private static let others: [NearMiss] = [
        NearMiss(.harmsOtherFiles, .pauses, isCommand: true, words: [.keeps([.otherFile])]) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.conduct?.before = [.init(.otherFile, name: "p-notes.txt")]
        },
        NearMiss(.harmsOtherFiles, .ranges, words: [.keeps([.otherFile])]) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.before = [.init(.otherFile, name: "notes.txt")]
        },
        NearMiss(.harmsOtherFiles, .daemon, isCommand: true, words: [.keeps([.otherFile])]) {
            // The client may replace its own file.
            $0.fetch([.part(1)])
            $0.end(.available)
            $0.conduct?.before = [.init(.otherFile, name: "p-notes.txt")]
            $0.conduct?.files = [.init("p", pack: "p", bytes: 100_000)]
        },
    ]

    private static let editions: [NearMiss] = [
        NearMiss(
            .losesOldEdition, .pauses, isCommand: true, expect: "error within 4 s", words: [.keeps([.oldEdition])]
        ) {
            $0.fetch([.part(1, bytes: 0, status: 404)])
            $0.end(.error, at: 1, code: 22)
            $0.conduct?.before = [.init(.oldEdition, name: "p")]
        },
        // The whole new edition replaces the old one.
        NearMiss(.losesOldEdition, .ranges, isCommand: true, words: [.keeps([.oldEdition])]) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.before = [.init(.oldEdition, name: "p")]
        },
        // The user asked to continue the existing file: `wget -c`, `curl -C -`.
        NearMiss(
            .losesOldEdition, .pauses, isCommand: true, expect: "error within 4 s", words: [.keeps([.oldEdition])]
        ) {
            $0.fetch(.part(1, from: 25_000, bytes: 15_000, end: .host, faults: ["cut@40000"]))
            $0.end(.error, at: 1, code: 4)
            $0.conduct?.before = [.init(.oldEdition, name: "p", problem: "has 40000 bytes, and not 25000")]
        },
        NearMiss(
            .harmsOtherFiles, .pauses, isCommand: true, expect: "error within 4 s", words: [.keeps([.linkedFile])]
        ) {
            $0.fetch([.part(1, from: 40, bytes: 15_000, end: .host, faults: ["cut@15040"])])
            $0.end(.error, at: 1, code: 4)
            $0.conduct?.before = [.init(.linkedFile, name: "notes-of-p", problem: "has 15040 bytes, and not 40")]
        },
        // The client takes the existing file for the pack, and sends no request.
        NearMiss(
            .losesOldEdition, .daemon, isCommand: true, expect: "error within 4 s", words: [.keeps([.oldEdition])]
        ) {
            $0.fetch([])
            $0.end(.available)
            $0.conduct?.before = [.init(.oldEdition, name: "p")]
            $0.findings = [Finding(.contentIncomplete, "0 B crossed the link")]
        },
    ]

    private static let leftovers: [NearMiss] = [
        // One partial file, and one with its response head.
        NearMiss(.leavesFilesBehind, .pauses, isCommand: true, words: [.leavesNothing]) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.conduct?.copies = 2
        },
        NearMiss(.leavesFilesBehind, .ranges, isCommand: true, words: [.leavesNothing]) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.copies = 1
        },
        // Copies that the client made of a single download are no leftovers of tries.
        NearMiss(.leavesFilesBehind, .daemon, isCommand: true, words: [.leavesNothing]) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.conduct?.copies = 5
        },
        // The pack, and a copy of it.
        NearMiss(.leavesFilesBehind, .read, words: [.leavesNothing]) {
            $0.fetch([.part(1)])
            $0.end(.available)
            $0.conduct?.copies = 2
        },
    ]
}
