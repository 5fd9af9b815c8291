@testable import Results

extension DiagnosisCase {
    /// Failures of clients that do right what a rule checks: none has the bug.
    static let good: [DiagnosisCase] = [
        DiagnosisCase("resumes rightly, and is slow", budgets: ["time_to_available: max <= 1 s"]) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]), .part(2, from: 40_000, bytes: 60_000))
            $0.end(.available)
            $0.samples.set(.timeToAvailable, 4)
        },
        DiagnosisCase("begins anew where the range is ignored", words: [.refetched(mostBytes: 0)]) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, asked: 40_000, status: 200, faults: ["ignore-range"]))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("begins anew where the content is wrong", words: [.refetched(mostBytes: 0)]) {
            $0.fetch(.part(1, faults: ["corrupt@500"]), .part(2))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 100_000)
        },
        DiagnosisCase("begins anew where the file has changed", words: [.refetched(mostBytes: 0)]) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, asked: 40_000, status: 200, faults: ["changed-etag"]))
            $0.end(.available)
            $0.samples.set(.redundantBytes, 40_000)
        },
        DiagnosisCase("wants no other edition in the place of the rest", isCommand: true) {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000", "changed-content"]),
                .part(2, bytes: 9000, asked: 40_000, status: 200, lasting: 0.1, end: .client, faults: ["late-head"]))
            $0.end(.error, at: 1.2, code: 8)
        },
        DiagnosisCase("has a full disk, and says nothing of it", isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, end: .client))
            $0.end(.available)
            $0.leave(bytes: 40_000, wrongByte: 40_000)
        },
        DiagnosisCase("asks again when it is told to", words: [.backOff(leastSeconds: 5)]) {
            $0.fetch(
                .part(1, bytes: 0, status: 503, at: 0, lasting: 0.1, retryAfter: 1), .part(2, at: 1.11, lasting: 0.5))
            $0.end(.available)
        },
        DiagnosisCase("fetches parts at once", isCommand: true) {
            $0.fetch(
                .part(1, bytes: 50_000, lasting: 2), .part(2, from: 50_000, bytes: 50_000, at: 0.1, lasting: 2))
            $0.end(.error, code: 5)
        },
        DiagnosisCase("spoils the file by itself", isCommand: true) {
            $0.fetch(.part(1))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 7)
        },
        DiagnosisCase("a command knows no hash", isCommand: true) {
            $0.fetch(.part(1, faults: ["corrupt@500"]))
            $0.end(.available)
            $0.leave(bytes: 100_000, wrongByte: 500)
        },
        DiagnosisCase("gives up after its patience", isCommand: true) {
            $0.fetch(.part(1, bytes: 40_000, at: 0, lasting: 1.3, end: .client, faults: ["stall@40000"]))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.3
            $0.end(.error, at: 1.3, code: 28)
        },
        DiagnosisCase("fails of a device that is full") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.2, end: .client))
            $0.end(.error, at: 0.2, code: 4992, class: .storage)
        },
        DiagnosisCase("tries once more while the link is silent", isCommand: true, expect: "error within 4 s") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.3))
            $0.conduct?.outages = [outage("silent", from: 0.2, tries: 2, last: 0.9)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("does what nobody sees without a route", isCommand: true, expect: "error within 4 s") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 5, end: .client))
            $0.conduct?.fetches?[0].lastByteSeconds = 0.3
            $0.conduct?.outages = [outage("no-route", from: 0.2, tries: nil)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("asks for nothing where nobody sees it", isCommand: true, expect: "error within 4 s") {
            $0.fetch()
            $0.conduct?.outages = [outage("no-route", from: 0, tries: nil)]
            $0.end(.noCallback)
            $0.findings = [Finding(.clientHung, "")]
        },
        DiagnosisCase("gives up where the link stays away") {
            $0.fetch(.part(1, bytes: 40_000, lasting: 0.2, end: .client))
            $0.conduct?.outages = [.init("silent", from: 0.2, until: nil)]
            $0.end(.error, at: 1.4, code: -1001)
        },
        DiagnosisCase("gives up at the third short body, and is right") {
            $0.fetch(
                .part(1, bytes: 40_000, end: .host, faults: ["cut@40000"]),
                .part(2, from: 40_000, bytes: 0, end: .host, faults: ["cut@40000"]),
                .part(3, from: 40_000, bytes: 0, end: .host, faults: ["cut@40000"]))
            $0.end(.error, at: 3, code: -1005)
        },
        DiagnosisCase("keeps to Retry-After", words: [.retries(0...0)]) {
            $0.fetch(
                .part(1, bytes: 24, status: 503, lasting: 0.1, retryAfter: 1), .part(2, at: 1.2))
            $0.end(.available)
        },
        DiagnosisCase("asks again at once for a rest that came", words: [.retries(0...1)]) {
            $0.fetch(
                .part(1, bytes: 40_000, at: 0, lasting: 0.5, end: .host),
                .part(2, from: 40_000, bytes: 20_000, at: 0.51, lasting: 0.2, end: .host),
                .part(3, from: 60_000, bytes: 40_000, at: 0.72))
            $0.end(.available)
        },
        DiagnosisCase("is called off and ends", expect: "available") {
            $0.fetch(.part(1, bytes: 30_000, lasting: 0.3, end: .client))
            $0.end(.error, at: 0.3, code: 3072, class: .unexpected) { ($0.isToCancel, $0.cancelAt) = (true, 0.3) }
        },
        DiagnosisCase("purges what nobody uses", words: [.stored(["level"])]) {
            $0.fetch(.part(1), .part(1, of: "q", at: 1))
            $0.end(.available, id: "a", at: 1)
            $0.end(.available, id: "b", at: 2, packs: ["q"])
            $0.conduct?.purges = [.init("p", nanoseconds: 2_000_000_000, isInUse: false)]
            $0.conduct?.packs?[0].storedSeconds = 0.5
            $0.conduct?.stored = [.init("q")]
            $0.conduct?.toBeStored = [.init("p", name: "level")]
        },
        DiagnosisCase("tells progress a little late", budgets: ["progress: honest within 2%"]) {
            $0.fetch(.part(1))
            $0.end(.available) {
                $0.progress = .init(
                    reports: 90, most: 1, behind: .init(seconds: 1, fraction: 0.5, share: 0.54),
                    standstill: .init(from: 1, until: 1.1, fraction: 0.5, share: 0.04))
            }
            $0.samples.set(.progressDeviation, 0.04)
        },
        DiagnosisCase("lets go of a bulk download for what is urgent", words: [.order(["bulk", "urgent"])]) {
            $0.fetch(
                .part(1, bytes: 30_000, at: 0, lasting: 0.4, end: .client), .part(1, of: "q", at: 0.41, lasting: 0.5),
                .part(2, from: 30_000, bytes: 70_000, at: 1))
            $0.end(.available, id: "bulk", at: 2)
            $0.end(.available, id: "urgent", at: 1, packs: ["q"]) { ($0.isUrgent, $0.beganSeconds) = (true, 0.4) }
        },
    ]
}
