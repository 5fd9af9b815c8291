import Results

extension NearMiss {
    /// A command that is started more than once, or a file that only its owner may read.
    static let starts = asking + keeping + apart + written + restarted

    private static let asking: [NearMiss] = [
        // The command asks again, and is refused again.
        NearMiss(.cachesErrors, .pauses, isCommand: true) {
            $0.fetch([.gone(1), .gone(2)])
            $0.start(again: 0.7)
            $0.end(.error, at: 1.2, code: 22)
        },
        // The host allows it to be cached for longer.
        NearMiss(.cachesErrors, .daemon, isCommand: true) {
            $0.fetch([.gone(1, faults: ["status=404", #"cache-control="public, max-age=60""#])])
            $0.start(again: 2.6)
            $0.end(.error, at: 3, code: 1)
        },
        // The host says nothing about caching.
        NearMiss(.cachesErrors, .read, isCommand: true) {
            $0.fetch([.gone(1, faults: ["status=404"])])
            $0.start(again: 2.6)
            $0.end(.error, at: 3, code: 1)
        },
        // The lock of the first start still exists.
        NearMiss(.cachesErrors, .daemon, isCommand: true) {
            $0.fetch([.gone(1)])
            $0.start(again: 2.6, status: 3)
            $0.end(.error, at: 3, code: 3)
        },
        // What the first start left is in the way, and the status says nothing of it.
        NearMiss(.cachesErrors, .daemon, isCommand: true) {
            $0.fetch([.gone(1)])
            $0.start(again: 2.6)
            $0.conduct?.starts?[0].lastWords = "urllib.error.HTTPError: HTTP Error 404: Not Found"
            $0.conduct?.starts?[1].lastWords = "FileExistsError: [Errno 17] File exists: 'p.part'"
            $0.end(.error, at: 3, code: 1)
        },
        // The command is started once.
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
        // The command sends no request, and changes nothing.
        NearMiss(.widensPermissions, .daemon, isCommand: true, words: [.keeps([.privateEdition])]) {
            $0.fetch([])
            $0.end(.available)
            $0.conduct?.before = [.init(.privateEdition, name: "p")]
            $0.findings = [Finding(.contentIncomplete, "0 B crossed the link")]
        },
    ]

    private static let written: [NearMiss] = [
        // The command ends with an error, and leaves a part at the place of the whole file.
        NearMiss(.ignoresWriteErrors, .pauses, isCommand: true) {
            $0.fetch([.part(1)])
            $0.end(.error, code: 23)
        },
        // The command leaves an incomplete download because the disk is full.
        NearMiss(.ignoresWriteErrors, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.error, code: 3)
        },
        // The command has written everything.
        NearMiss(.ignoresWriteErrors, .read, isCommand: true, expect: "error") {
            $0.fetch([.part(1)])
            $0.end(.available)
        },
    ]

    private static let restarted: [NearMiss] = [
        // The command continues, and the host has nothing more.
        NearMiss(.stuckAfterKill, .pauses, isCommand: true) {
            $0.fetch([
                .part(1, bytes: 60_000, at: 0, lasting: 1, end: .client), .part(2, bytes: 0, status: 410, at: 1.5),
            ])
            $0.conduct?.kills = [.init(seconds: 1.01, savedBytes: 60_000)]
            $0.end(.error, at: 2.2)
        },
        // The command leaves at once after the head, as it does not overwrite the existing file.
        NearMiss(.impatient, .daemon, isCommand: true) {
            $0.fetch([.part(1, bytes: 0, at: 0, lasting: 0.07, end: .client)])
            $0.end(.error, at: 0.14)
        },
        // The command has the pack when it is killed, and says so.
        NearMiss(.stuckAfterKill, .daemon, isCommand: true) {
            $0.fetch([.part(1, lasting: 1)])
            $0.conduct?.kills = [.init(seconds: 1.01, savedBytes: 100_000)]
            $0.end(.available)
        },
        // The command is killed during its parts, and continues both.
        NearMiss(.stuckAfterKill, .ranges, isCommand: true) {
            $0.fetch([
                .part(1, bytes: 20_000, at: 0, lasting: 1, end: .client),
                .part(2, from: 50_000, bytes: 20_000, at: 0.1, lasting: 0.9, end: .client),
                .part(3, from: 20_000, bytes: 30_000, at: 1.5), .part(4, from: 70_000, bytes: 30_000, at: 1.5),
            ])
            $0.conduct?.kills = [.init(seconds: 1.01, savedBytes: 20_000)]
            $0.end(.available)
        },
    ]

    private static let apart: [NearMiss] = [
        // The second command is locked out, and the first one has the pack.
        NearMiss(.mixesDownloads, .read, isCommand: true) {
            $0.fetch([.part(1, at: 0.1, lasting: 2)])
            $0.start(beside: 1)
            $0.end(.available)
        },
        // Each command has a file of its own.
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
