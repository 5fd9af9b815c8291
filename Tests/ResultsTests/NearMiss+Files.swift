import Results

extension NearMiss {
    /// What is there before, and what is left.
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
            // What it replaced was its own to replace.
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
        // The whole new edition is in its place.
        NearMiss(.losesOldEdition, .ranges, isCommand: true, words: [.keeps([.oldEdition])]) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.before = [.init(.oldEdition, name: "p")]
        },
        // Its user told it to go on with what is there: `wget -c`, `curl -C -`.
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
        // What is there it takes for the pack, and asks nobody.
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
        // One file to go on with, and one of the head that came with it.
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
        // Copies that it made itself of what came once are none of tries.
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
