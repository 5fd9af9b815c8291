import Results

extension NearMiss {
    /// What is done by a command that is started more than once, or to a file that is its owner's alone.
    static let starts = asking + keeping + apart

    private static let asking: [NearMiss] = [
        // It asks again, and is refused again.
        NearMiss(.cachesErrors, .pauses, isCommand: true) {
            $0.fetch([.gone(1), .gone(2)])
            $0.start(again: 0.7)
            $0.end(.error, at: 1.2, code: 22)
        },
        // The host lets it be kept for longer.
        NearMiss(.cachesErrors, .daemon, isCommand: true) {
            $0.fetch([.gone(1, faults: ["status=404", #"cache-control="public, max-age=60""#])])
            $0.start(again: 2.6)
            $0.end(.error, at: 3, code: 1)
        },
        // The host says nothing of it.
        NearMiss(.cachesErrors, .read, isCommand: true) {
            $0.fetch([.gone(1, faults: ["status=404"])])
            $0.start(again: 2.6)
            $0.end(.error, at: 3, code: 1)
        },
        // The lock of the first start is still there.
        NearMiss(.cachesErrors, .daemon, isCommand: true) {
            $0.fetch([.gone(1)])
            $0.start(again: 2.6, status: 3)
            $0.end(.error, at: 3, code: 3)
        },
        // It is started once.
        NearMiss(.cachesErrors, .ranges, isCommand: true) {
            $0.fetch([.gone(1)])
            $0.end(.error, at: 3, code: 1)
        },
    ]

    private static let keeping: [NearMiss] = [
        NearMiss(.widensPermissions, .pauses, isCommand: true, words: [.keeps([.privateEdition])]) {
            $0.fetch(.resumed)
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p")]
        },
        NearMiss(.widensPermissions, .ranges, isCommand: true, words: [.keeps([.privateEdition])]) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p")]
        },
        // It asks nobody, and changes nothing.
        NearMiss(.widensPermissions, .daemon, isCommand: true, words: [.keeps([.privateEdition])]) {
            $0.fetch([])
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p")]
            $0.findings = [Finding(.contentIncomplete, "0 B crossed the link")]
        },
    ]

    private static let apart: [NearMiss] = [
        // The second one is locked out, and the first one has the pack.
        NearMiss(.mixesDownloads, .read, isCommand: true) {
            $0.fetch([.part(1, at: 0.1, lasting: 2)])
            $0.start(beside: 1)
            $0.end(.available)
        },
        // Each has a file of its own.
        NearMiss(.mixesDownloads, .pauses, isCommand: true) {
            $0.fetch([.part(1, at: 0.1, lasting: 2), .part(2, at: 1.1, lasting: 2)])
            $0.start(beside: 1)
            $0.end(.available)
        },
        NearMiss(.mixesDownloads, .ranges, isCommand: true, expect: "error within 1 s") {
            $0.fetch(.parallel)
            $0.start(beside: 0.2)
            $0.end(.error, at: 2.2, code: 1)
        },
    ]
}
