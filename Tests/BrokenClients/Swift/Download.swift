import Foundation
import Synchronization

/// Receives the events of a download.
protocol DownloadHooks: AnyObject {
    func asked(_ url: String, from: Int64, try number: Int)
    func answered(_ head: Head)
    func received(_ bytes: Int64)
    func progressed(_ size: Int64, of total: Int64?)
    func retrying(in seconds: Double, because reason: String)
    func hold() throws -> Bool
}

/// A file from a host, in as many tries as needed.
///
/// It may be run again after it gave its connection up.
final class Download {
    private let url: String
    private let way: Way
    private let bugs: Bugs
    private let hooks: any DownloadHooks
    /// The file's size in bytes, or nil if unknown.
    private let size: Int64?
    /// Whether a digest proves the whole file.
    private let isChecked: Bool
    private var policy: Policy
    private var number = 0
    /// The number of 416 responses.
    private var refused = 0
    private var isAnswered = false
    /// The time of the last sign of life.
    private var last = Clock.seconds

    init(_ url: String, _ way: Way, _ bugs: Bugs, draw: Draw, hooks: any DownloadHooks, size: Int64?, isChecked: Bool) {
        (self.url, self.way, self.bugs, self.hooks) = (url, way, bugs, hooks)
        (self.size, self.isChecked) = (size, isChecked)
        policy = Policy(patience: way.patience, bugs: bugs, draw: draw)
    }

    /// Downloads into a part, which `accept` may refuse.
    ///
    /// Throws the reason if it fails.
    func run(into part: Part, accept: (Part) throws -> Void) throws {
        while true {
            let before = part.size
            do {
                do {
                    defer { policy.note(gained: part.size - before, last: last, answered: isAnswered) }
                    try attempt(part)
                }
                return try accept(part)
            } catch let failure as Failure {
                if failure.kind == .wrongContent { part.clear() }
                guard let seconds = policy.pause(after: failure) else { throw policy.told(failure) }
                hooks.retrying(in: seconds, because: failure.message)
                try sleep(seconds)
            }
        }
    }

    private func sleep(_ seconds: Double) throws {
        let end = Clock.seconds + seconds
        while Clock.seconds < end {
            _ = try hooks.hold()
            Thread.sleep(forTimeInterval: min(Clock.slice, max(0, end - Clock.seconds)))
        }
    }

    private func attempt(_ part: Part) throws {
        let twin = DispatchGroup()
        let again = Again()
        // BUG: as if another request wanted it.
        if part.size == 0, bugs.has(.downloadsTwice) {
            DispatchQueue.global().async(group: twin) { [url, way] in
                let transfer = Transfer(url, way, fields: [], Bugs(nil, seed: 0))
                _ = try? transfer.run()
                again.bytes.withLock { $0 = transfer.count }
            }
        }
        try attemptOnce(part)
        twin.wait()
        let bytes = again.bytes.withLock(\.self)
        if bytes > 0 { hooks.received(bytes) }
        // BUG: block by block.
        while bugs.has(.floodsConnections), part.size < part.total ?? 0 { try attemptOnce(part) }
    }

    private func attemptOnce(_ part: Part) throws {
        // BUG: always from the first byte.
        if bugs.has(.noResume) { part.clear() }
        // BUG: another file for every try.
        if bugs.has(.leavesFilesBehind), part.size > 0 { part.setAside() }
        if part.size > 0, part.validator == nil, !isChecked { part.clear() }
        var from = part.size
        // BUG: not where it ended.
        if from > 0, bugs.has(.resumesWrongOffset) { from = max(0, from + bugs.shift) }
        number += 1
        var fields = from > 0 ? ["Range: bytes=\(from)-"] : []
        if bugs.has(.floodsConnections) { fields = ["Range: bytes=\(from)-\(from + bugs.block - 1)"] }
        // BUG: of any edition.
        if from > 0, let validator = part.validator, !bugs.has(.keepsStaleBytes) {
            fields.append("If-Range: \(validator)")
        }
        do { try transfer(url, fields, from, part) } catch let redirect as Redirect {
            // BUG: the whole file from the redirect's target.
            try transfer(redirect.target, [], 0, part)
        }
    }

    /// BUG: the file seems complete.
    private struct Finished: Error {}

    /// A redirect that the client follows itself instead of libcurl.
    private struct Redirect: Error {
        var target: String
    }

    private func transfer(_ url: String, _ fields: [String], _ from: Int64, _ part: Part) throws {
        let transfer = Transfer(url, way, fields: fields, bugs)
        transfer.hold = hooks.hold
        transfer.judge = { [self] in
            if bugs.has(.dropsRangeOnRedirect), let target = $0.target(from: url) { throw Redirect(target: target) }
            try judge($0, part, from)
        }
        let before = part.size
        var came: Int64 = 0
        transfer.take = { [self] bytes in
            try part.append(bytes)
            came += Int64(bytes.count)
            hooks.progressed(part.size, of: part.total ?? size)
            // BUG: compares with the wrapped length.
            if bugs.has(.wrapsLengths), let total = part.total, part.size >= total { throw Finished() }
        }
        hooks.asked(url, from: from, try: number)
        defer {
            last = transfer.last
            hooks.received(came)
        }
        do { _ = try transfer.run() } catch is Finished {
            return
        } catch let failure as Failure {
            // BUG: the end of the connection is the end of the file.
            if [.short, .lost].contains(failure.kind), part.size > before || came > 0, bugs.has(.ignoresShortBody) {
                return
            }
            throw failure
        }
    }

    /// Makes the part ready for a response's body.
    ///
    /// Throws what is wrong with the response.
    private func judge(_ head: Head, _ part: Part, _ from: Int64) throws {
        isAnswered = true
        hooks.answered(head)
        if let failure = Failure(status: head.status, retryAfter: head.retryAfter) { throw failure }
        // BUG: takes the file for complete.
        if head.status == 416, bugs.has(.takes416ForSuccess) { throw Finished() }
        if let coding = head.fields["content-encoding"], coding != "identity", !bugs.has(.keepsEncodedBytes) {
            throw Failure(.badAnswer, "The host sent the file encoded by \(coding).")
        }
        // BUG: requires a length.
        if head.length == nil, head.status < 300, bugs.has(.needsContentLength) {
            throw Failure(.badAnswer, "The host does not say how much comes.")
        }
        var total = head.length
        // BUG: 32 bits of it.
        if bugs.has(.wrapsLengths) { total = total.map { $0 & 0xFFFF_FFFF } }
        // BUG: takes a redirect's body for the file.
        let takes = bugs.has(.ignoresRedirect) && bugs.isSecondForm && head.target(from: url) != nil
        switch takes ? 200 : head.status {
        case 206:
            let range = head.range
            total = range.total
            // BUG: a body like any other.
            let isMultipart = head.fields["content-type"]?.hasPrefix("multipart/") == true
            let first = isMultipart && bugs.has(.takesMultipartForPart) ? from : range.from
            guard let first, first == from, from > 0 || bugs.has(.floodsConnections) else {
                throw Failure(.badAnswer, "The host sent another part than was asked for.")
            }
            if let old = part.validator, let new = head.validator, old != new, !bugs.has(.keepsStaleBytes) {
                part.clear()
                throw Failure(.lost, "The host's file has changed.")
            }
        case 200:
            // BUG: all of it goes after the part.
            if from > 0, bugs.has(.takes200For206) { total? += from } else { part.clear() }
        default:
            part.clear()
            // A file that is always shorter than announced would never end.
            refused += head.status == 416 ? 1 : 0
            let isChanged = head.status == 416 && refused <= 2
            throw Failure(isChanged ? .lost : .badAnswer, "The host answered with status \(head.status).")
        }
        try judgeKind(head, total)
        try part.begin(validator: head.validator, total: total)
    }

    /// Throws if the response cannot be the file.
    private func judgeKind(_ head: Head, _ total: Int64?) throws {
        // BUG: any 200 is the file.
        if bugs.isCredulous { return }
        if head.fields["content-type"]?.hasPrefix("text/html") == true, !url.hasSuffix(".html") {
            throw Failure(.wrongContent, "The host sent a page in place of the file.")
        }
        guard let size, let total, total != size, !bugs.has(.takes200For206) else { return }
        throw Failure(.badAnswer, "The host offers \(total) bytes as a file of \(size).")
    }
}

/// The bytes of the second download of ``Bug/downloadsTwice``.
private final class Again: Sendable {
    let bytes = Mutex<Int64>(0)
}
