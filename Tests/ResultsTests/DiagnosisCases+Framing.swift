import Results

extension DiagnosisCase {
    /// Bodies with unusual framing or encoding: three forms of each bug.
    static let framed = chunked + lengthless + refused + multipart + encoded + wrapped

    private static let chunked: [DiagnosisCase] = [
        DiagnosisCase("keeps the lines between chunks", .keepsChunkSizes, isCommand: true) {
            $0.fetch(.part(1, faults: ["framing=chunked"]))
            $0.end(.available)
            $0.leave(bytes: 100_012, wrongByte: 0)
        },
        DiagnosisCase("keeps the lines between the chunks of a rest", .keepsChunkSizes, isCommand: true) {
            $0.fetch(half, .part(2, from: 40_000, bytes: 60_000, faults: ["framing=trailers"]))
            $0.end(.available)
            $0.leave(bytes: 100_031, wrongByte: 40_000)
        },
        DiagnosisCase("goes on behind the lines between chunks", .keepsChunkSizes) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["framing=chunked", "cut@40000"]),
                .part(2, from: 40_008, bytes: 59_992, faults: ["framing=chunked"]))
            $0.end(.available)
            $0.show("has 100013 bytes, and not 100000")
        },
        DiagnosisCase("unpacks the lines between chunks", .keepsChunkSizes) {
            $0.fetch(.part(1, faults: ["framing=trailers"]))
            $0.end(.available)
            $0.show("has 100031 bytes, and not 100000")
        },
    ]

    private static let lengthless: [DiagnosisCase] = [
        DiagnosisCase("leaves a body until the connection ends", .needsContentLength, isCommand: true) {
            $0.fetch(.part(1, bytes: 5000, lasting: 0.1, end: .client, faults: ["framing=until-close"]))
            $0.end(.error, at: 0.2, code: 1)
        },
        DiagnosisCase("leaves a body in chunks", .needsContentLength) {
            $0.fetch(.part(1, bytes: 0, lasting: 0.1, end: .client, faults: ["framing=chunked"]))
            $0.end(.error, at: 0.2, code: -1011)
        },
        DiagnosisCase("leaves a rest of unknown length", .needsContentLength, isCommand: true) {
            $0.fetch(
                half, .part(2, from: 40_000, bytes: 100, lasting: 0.1, end: .client, faults: ["framing=until-close"]))
            $0.end(.error, at: 1.2, code: 1)
        },
    ]

    private static let refused: [DiagnosisCase] = [
        DiagnosisCase("takes a part for the whole at a 416", .takes416ForSuccess, isCommand: true, expect: "either") {
            $0.fetch(half, no(2))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("shows a part at a 416", .takes416ForSuccess) {
            $0.fetch(half, no(2))
            $0.end(.available)
            $0.show("has 40000 bytes, and not 100000")
        },
        DiagnosisCase("takes two parts for the whole at a 416", .takes416ForSuccess, isCommand: true) {
            $0.fetch(
                half, .part(2, from: 40_000, bytes: 20_000, end: .host, faults: ["cut@60000"]), no(3, from: 60_000))
            $0.end(.available)
            $0.findings = [Finding(.contentIncomplete, "60000 of the 100000 B of 'p' crossed the link")]
        },
    ]

    private static let multipart: [DiagnosisCase] = [
        DiagnosisCase("keeps a boundary", .takesMultipartForPart, isCommand: true) {
            $0.fetch(half, parts(2))
            $0.end(.available)
            $0.leave(bytes: 100_180, wrongByte: 40_000)
        },
        DiagnosisCase("keeps a boundary whose first bytes are right by chance", .takesMultipartForPart, isCommand: true)
        {
            $0.fetch(half, parts(2))
            $0.end(.available)
            $0.leave(bytes: 100_180, wrongByte: 40_002)
        },
        DiagnosisCase("unpacks a boundary", .takesMultipartForPart) {
            $0.fetch(half, parts(2))
            $0.end(.available)
            $0.show("has 100180 bytes, and not 100000")
        },
    ]

    private static let wrapped: [DiagnosisCase] = [
        DiagnosisCase("keeps a length in 32 bits", .wrapsLengths, isCommand: true, expect: "error") {
            $0.fetch(.part(1, bytes: 40_000, end: .client, faults: long))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("keeps the length of a rest in 32 bits", .wrapsLengths, isCommand: true, expect: "error") {
            $0.fetch(
                .part(1, bytes: 20_000, end: .host, faults: ["cut@20000"]),
                .part(2, from: 20_000, bytes: 20_000, end: .client, faults: long))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("shows as much as 32 bits of the length say", .wrapsLengths, expect: "error") {
            $0.fetch(.part(1, bytes: 40_000, end: .client, faults: long))
            $0.end(.available)
            $0.show("has 40000 bytes, and not 100000")
        },
        DiagnosisCase(
            "takes as much as 32 bits say before the host ends the connection", .wrapsLengths, expect: "error"
        ) {
            $0.fetch(.part(1, bytes: 40_000, at: 0, lasting: 1.7, end: .host, faults: long))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.2
            $0.end(.available, at: 0.6)
            $0.show("has 40000 bytes, and not 100000")
        },
        DiagnosisCase(
            "keeps the place of a rest in 32 bits", .wrapsLengths, isCommand: true, words: [.keeps([.part])]
        ) {
            $0.conduct?.packs = [.init("p", name: "p", bytes: (1 << 32) + 100_000, requests: 1)]
            $0.conduct?.before = [.init(.part, name: "p", packBytes: (1 << 32) + 40_000)]
            $0.fetch(.part(1, from: 40_000, bytes: 8_000_000, end: .client))
            $0.end(.error, code: 23)
        },
        DiagnosisCase(
            "keeps the place of a rest in 31 bits", .resumesWrongOffset, isCommand: true, words: [.keeps([.part])]
        ) {
            $0.conduct?.packs = [.init("p", name: "p", bytes: (1 << 32) + 100_000, requests: 1)]
            $0.conduct?.before = [.init(.part, name: "p", packBytes: (1 << 32) + 40_000)]
            $0.fetch(.part(1, from: (1 << 31) - 1, bytes: 8_000_000, end: .client))
            $0.end(.error, code: 23)
        },
        // Without a comparison of lengths, the end of the connection is the end of the file.
        DiagnosisCase("compares no length at all", .ignoresShortBody, isCommand: true, expect: "error") {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: long))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
    ]

    private static let long = ["wrapped-length@40000", "stall@40000 for=1500ms", "cut@40000"]

    private static let encoded: [DiagnosisCase] = [
        DiagnosisCase("keeps what is encoded", .keepsEncodedBytes, isCommand: true, expect: "either") {
            $0.fetch(gzip(1))
            $0.end(.available)
            $0.leave(bytes: 100_033, wrongByte: 0)
        },
        DiagnosisCase("keeps what is encoded after a try", .keepsEncodedBytes, isCommand: true) {
            $0.fetch(.part(1, bytes: 0, status: 503), gzip(2))
            $0.end(.available)
            $0.leave(bytes: 100_033, wrongByte: 1)
        },
        DiagnosisCase("unpacks what is encoded", .keepsEncodedBytes) {
            $0.fetch(gzip(1))
            $0.end(.available)
            $0.show("has 100033 bytes, and not 100000")
        },
    ]

    /// Clients whose failures look like one of these bugs, and that have none of them.
    static let rightlyFramed: [DiagnosisCase] = [
        // Clients that decode chunks.
        DiagnosisCase("decodes chunks, and spoils the end", isCommand: true) {
            $0.fetch(.part(1, faults: ["framing=chunked"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 77_000)
        },
        DiagnosisCase("decodes chunks, and is late", isCommand: true, expect: "available within 1 s") {
            $0.fetch(.part(1, faults: ["framing=trailers"]))
            $0.end(.available)
        },
        DiagnosisCase("takes chunks that were cut for the whole", .ignoresShortBody, isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, end: .host, faults: ["framing=chunked", "cut@40000"]))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        // Clients that leave a body of unknown length for another reason.
        DiagnosisCase("has no room for a body of unknown length") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.2, end: .client, faults: ["framing=until-close"]))
            $0.end(.error, at: 0.3, code: 4992, class: .storage)
        },
        DiagnosisCase("waits for a body of unknown length, and gives up", isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, lasting: 1.3, end: .client, faults: ["framing=until-close", "stall@40000"]))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.2
            $0.end(.error, at: 1.4, code: 28)
        },
        DiagnosisCase("finds a whole body of unknown length wrong", isCommand: true) {
            $0.fetch(.part(1, faults: ["framing=until-close"]))
            $0.end(.error, at: 1, code: 1)
        },
        // Clients that do not take a 416 for success.
        DiagnosisCase("begins anew at a 416", words: [.retries(0...1)]) {
            $0.fetch(half, no(2), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("ends at a 416 with an error that comes late", isCommand: true, expect: "error within 1 s") {
            $0.fetch(half, no(2))
            $0.end(.error, at: 2, code: 33)
        },
        DiagnosisCase("asks behind the end, and has all", isCommand: true, expect: "available within 1 s") {
            $0.fetch(.part(1), no(2, from: 100_000, faults: []))
            $0.end(.available)
        },
        // Clients that do not keep boundaries as bytes of the pack.
        DiagnosisCase("begins anew at a multipart body", words: [.retries(0...1)]) {
            $0.fetch(half, parts(2), .part(3))
            $0.end(.available)
        },
        DiagnosisCase("takes a multipart body apart, and is late", isCommand: true, expect: "available within 1 s") {
            $0.fetch(half, parts(2))
            $0.end(.available)
        },
        DiagnosisCase("spoils the file far from a boundary", isCommand: true) {
            $0.fetch(half, parts(2))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 90_000)
        },
        // Clients that decode an encoded body, or refuse it.
        DiagnosisCase("decodes gzip, and is late", isCommand: true, expect: "available within 1 s") {
            $0.fetch(gzip(1))
            $0.end(.available)
        },
        DiagnosisCase("refuses what is encoded, and is late", expect: "error within 1 s") {
            $0.fetch(gzip(1))
            $0.end(.error, at: 2, code: -1011)
        },
        DiagnosisCase("decodes gzip, and spoils the end", isCommand: true) {
            $0.fetch(gzip(1))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 99_000)
        },
    ]

    private static let half = ConductRecord.Fetch.part(1, bytes: 40_000, end: .host, faults: ["cut@40000"])

    private static func no(
        _ number: Int, from: Int64 = 40_000, faults: [String] = ["refuse-range"]
    ) -> ConductRecord.Fetch {
        .part(number, bytes: 26, asked: from, status: 416, lasting: 0.1, faults: faults)
    }

    private static func parts(_ number: Int) -> ConductRecord.Fetch {
        .part(number, from: 40_000, bytes: 60_000, faults: ["multipart"])
    }

    private static func gzip(_ number: Int) -> ConductRecord.Fetch { .part(number, faults: ["encoding=gzip"]) }
}

extension AttemptRecord {
    /// Stores a visible pack that is wrong.
    fileprivate mutating func show(_ problem: String) {
        conduct?.stored = [.init("p", name: "level", problem: problem)]
        findings = [Finding(.contentWrong, "'level' is visible in the store, and \(problem)")]
    }
}
