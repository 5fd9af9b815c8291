import Results

extension NearMiss {
    /// The handling of received bytes.
    static let content = certificates + taken + resumed + editions

    private static let certificates: [NearMiss] = [
        // A client that refuses a certificate sends no request, however often it connects.
        NearMiss(.acceptsWrongCertificate, .pauses, expect: "error within 1 s") {
            $0.fetch([])
            $0.conduct?.certificateFault = "expired"
            $0.conduct?.firstConnectionSeconds = 0.1
            $0.end(.error, at: 2, code: -1201)
        },
        NearMiss(.acceptsWrongCertificate, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        NearMiss(.acceptsWrongCertificate, .daemon, isCommand: true, isTold: false, expect: "error within 1 s") {
            $0.fetch([])
            $0.conduct?.certificateFault = "wrong-name"
            $0.conduct?.firstConnectionSeconds = 0.1
            $0.hang(after: 40)
        },
        NearMiss(.acceptsWrongCertificate, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([])
            $0.conduct?.certificateFault = "unknown-authority"
            $0.end(.error, at: 2, code: 60)
        },
    ]

    private static let taken: [NearMiss] = [
        NearMiss(.ignoresShortBody, .pauses, isCommand: true) {
            $0.fetch(.resumed)
            $0.end(.available)
        },
        NearMiss(.ignoresShortBody, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        NearMiss(.ignoresShortBody, .daemon, isCommand: true) {
            // The client leaves by itself, as with a full disk.
            $0.fetch([.part(1, bytes: 40_000, end: .client)])
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        NearMiss(.ignoresShortBody, .read, expect: "error within 1 s") {
            $0.fetch([.part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"])])
            $0.end(.error, at: 2, code: -1005)
        },
        NearMiss(.ignoresWrongHash, .pauses, expect: "error within 1 s") {
            $0.fetch([.part(1, faults: ["corrupt@50000"]), .part(2, faults: ["corrupt@50000"])])
            $0.end(.error, at: 2, code: -1016)
        },
        NearMiss(.ignoresWrongHash, .ranges) {
            $0.fetch([
                .part(1, bytes: 50_000, at: 0, lasting: 1), .part(2, from: 50_000, bytes: 50_000, at: 0.01, lasting: 1),
                .part(3, from: 50_000, bytes: 50_000, at: 1.5),
            ])
            $0.conduct?.fetches?[1].faults = ["corrupt@70000"]
            $0.end(.available)
        },
        NearMiss(.ignoresWrongHash, .daemon) {
            $0.fetch([.part(1, faults: ["corrupt@50000"]), .part(2)])
            $0.end(.available)
        },
        // A client that was not given a hash cannot compare one.
        NearMiss(.ignoresWrongHash, .read, isCommand: true) {
            $0.fetch([.part(1, faults: ["corrupt@500"])])
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 500)
        },
        NearMiss(.unpacksBeforeChecking, .pauses, expect: "error within 1 s") {
            $0.fetch([.part(1, faults: ["corrupt@50000"]), .part(2, faults: ["corrupt@50000"])])
            $0.end(.error, at: 2, code: -1016)
            $0.conduct?.stored = []
        },
        NearMiss(.unpacksBeforeChecking, .daemon) {
            $0.fetch([.part(1, faults: ["corrupt@50000"]), .part(2)])
            $0.end(.error, id: "a", at: 0.6, code: -1016)
            $0.end(.available, id: "b")
            $0.conduct?.stored = [.init("p", name: "level")]
        },
        NearMiss(.unpacksBeforeChecking, .read) {
            $0.fetch([.part(1)])
            $0.end(.available)
            $0.conduct?.stored = [.init("p", name: "level")]
        },
        // A part under another name is no file at the output.
        NearMiss(.keepsPartialAsWhole, .pauses, isCommand: true, expect: "error within 1 s") {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, from: 40_000, bytes: 0, at: 1, end: .host, faults: ["cut@40000"]),
            ])
            $0.end(.error, at: 2, code: 18)
        },
        NearMiss(.keepsPartialAsWhole, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.available)
            $0.conduct?.files = [.init("p", pack: "p", bytes: 100_000)]
        },
        NearMiss(.keepsPartialAsWhole, .daemon, expect: "error within 1 s") {
            $0.fetch([.part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"])])
            $0.end(.error, at: 2, code: -1005)
            $0.conduct?.stored = []
        },
        NearMiss(.keepsPartialAsWhole, .read, isCommand: true) {
            $0.fetch([.part(1)])
            $0.end(.available)
            $0.conduct?.files = [.init("p", pack: "p", bytes: 100_000)]
        },
        NearMiss(.followsCaptivePortal, .pauses) {
            $0.fetch([.part(1, bytes: 20, faults: [page]), .part(2)])
            $0.end(.available)
        },
        NearMiss(.followsCaptivePortal, .ranges, isCommand: true) {
            $0.fetch([.part(1, bytes: 20, at: 0, lasting: 0.1, faults: [page])] + ConductRecord.Fetch.later)
            $0.end(.available)
        },
        NearMiss(.followsCaptivePortal, .read, isCommand: true, expect: "error within 1 s") {
            $0.fetch([.part(1, bytes: 20, faults: [page])])
            $0.end(.error, at: 2, code: 5)
        },
    ]

    private static let page = "body=\"<p>Sign in</p>\" type=text/html"

    private static let resumed: [NearMiss] = [
        NearMiss(.noResume, .pauses) {
            $0.fetch(.resumed)
            $0.end(.available)
        },
        NearMiss(.noResume, .ranges, isCommand: true) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        NearMiss(.noResume, .daemon) {
            // The client was called back, and somebody else asks again.
            $0.fetch([.part(1, bytes: 2000, at: 0, end: .host, faults: ["cut@2000"]), .part(2, at: 2)])
            $0.end(.error, id: "a", at: 0.6, code: -1005)
            $0.end(.available, id: "b", at: 3)
            $0.requests[0].result = .available
        },
        NearMiss(.noResume, .read) {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000", "changed-etag"]), .part(2, at: 1),
            ])
            $0.end(.available)
        },
        // Fetching twice is right if the received bytes were wrong.
        NearMiss(.refetchesWhole, .pauses, expect: "error within 1 s") {
            $0.fetch([.part(1, faults: ["corrupt@500"]), .part(2, faults: ["corrupt@500"])])
            $0.end(.error, at: 2, code: -1016)
        },
        NearMiss(.refetchesWhole, .ranges, isCommand: true) {
            $0.fetch([.part(1, at: 0, faults: ["corrupt@500"])] + ConductRecord.Fetch.later)
            $0.end(.available)
        },
        NearMiss(.refetchesWhole, .daemon) {
            // Each of three requests fetches it once.
            $0.fetch([.part(1), .part(2), .part(3)])
            for (index, id) in ["a", "b", "c"].enumerated() { $0.end(.available, id: id, at: Double(index) + 0.7) }
        },
        NearMiss(.refetchesWhole, .read) {
            $0.fetch([
                .part(1, faults: ["changed-content=+0"]), .part(2, faults: ["changed-content=+1"]),
                .part(3, faults: ["changed-content=+2"]),
            ])
            $0.end(.available)
        },
        NearMiss(.resumesWrongOffset, .pauses, isCommand: true) {
            $0.fetch(.resumed)
            $0.end(.available)
        },
        NearMiss(.resumesWrongOffset, .ranges, isCommand: true) {
            // Parts that begin at bytes not yet received are no mistake, in any order, whatever spoils the file.
            $0.fetch([
                .part(1, from: 50_000, bytes: 25_000, at: 0, lasting: 1), .part(2, bytes: 50_000, at: 0.01, lasting: 1),
                .part(3, from: 75_000, bytes: 25_000, at: 0.02, lasting: 1),
            ])
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 7)
        },
        NearMiss(.resumesWrongOffset, .daemon) {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, from: 39_000, bytes: 61_000, at: 1),
            ])
            $0.end(.available)
        },
        NearMiss(.resumesWrongOffset, .read, isCommand: true) {
            $0.fetch([.part(1, at: 0, lasting: 3.9)])
            $0.end(.available)
        },
        NearMiss(.takes200For206, .pauses) {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, asked: 40_000, status: 200, at: 1, faults: ["ignore-range"]),
            ])
            $0.end(.available)
        },
        NearMiss(.takes200For206, .ranges, isCommand: true) {
            $0.fetch([
                .part(1, at: 0, lasting: 1),
                .part(2, bytes: 9000, asked: 50_000, status: 200, at: 0.01, lasting: 0.2, end: .client),
            ])
            $0.end(.available)
        },
        NearMiss(.takes200For206, .daemon, expect: "error within 1 s") {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, bytes: 9000, asked: 40_000, status: 200, at: 1, lasting: 0.1, end: .client),
            ])
            $0.end(.error, at: 2, code: -1011)
        },
    ]

    private static let editions: [NearMiss] = [
        NearMiss(.keepsStaleBytes, .pauses) {
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, asked: 40_000, status: 200, at: 1, faults: ["changed-etag"]),
            ])
            $0.end(.available)
        },
        NearMiss(.keepsStaleBytes, .ranges) {
            $0.fetch(.parallel)
            $0.end(.available)
        },
        NearMiss(.keepsStaleBytes, .daemon) {
            // The client notices the other edition, and begins again.
            $0.fetch([
                .part(1, bytes: 40_000, at: 0, end: .host, faults: ["cut@40000"]),
                .part(2, from: 40_000, bytes: 900, at: 1, lasting: 0.1, end: .client, faults: ["changed-etag"]),
                .part(3, at: 2, faults: ["changed-etag"]),
            ])
            $0.end(.available)
        },
    ]
}

extension ConductRecord.Fetch {
    /// A whole download in two parts at once, after a first response.
    fileprivate static let later: [Self] = [
        .part(2, from: 0, bytes: 50_000, asked: 0, status: 206, at: 1, lasting: 1),
        .part(3, from: 50_000, bytes: 50_000, at: 1.01, lasting: 1),
    ]
}
