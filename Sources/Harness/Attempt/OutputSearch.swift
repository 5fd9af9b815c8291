import LinkModel
import LinuxSupport
import Results
import Scenarios
import Synchronization

/// Looks for a line with a match of a pattern in what a command has written, once it has ended.
///
/// A pattern may take any time over a line, and nothing can end that: it is looked for on a thread of its own, and what
/// takes too long is not known.
final class OutputSearch: @unchecked Sendable {
    // Unchecked, because the standard library does not say that a compiled pattern, which is immutable, may be shared.
    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        /// Whether a line was left out, or not looked at whole.
        var isCut = false
        var isAbandoned = false
        var isOver = false
        var isFound = false
    }

    /// Bytes of a line that are looked at, and of all lines together.
    static let lineBytes = 4096
    static let mostBytes = 4 << 20
    /// How long looking may take.
    static let patience: Duration = .seconds(2)

    private let text: String
    private let pattern: Regex<AnyRegexOutput>
    private let state = Mutex(State())
    /// Patterns that are still at work for an attempt that has ended: a second one would take a further processor.
    private static let endless = Mutex<Set<String>>([])

    /// Nil where nothing is looked for.
    convenience init?(_ expectations: Expectations) throws {
        let texts = expectations.conduct.compactMap { if case .output(let text) = $0 { text } else { nil } }
        guard let text = texts.first else { return nil }
        try self.init(pattern: text)
    }

    init(pattern text: String) throws {
        self.text = text
        pattern = try Regex(text)
    }

    /// Keeps a line, from any thread.
    func take(_ line: [UInt8]) {
        state.withLock { state in
            guard state.bytes < Self.mostBytes else {
                state.isCut = true
                return
            }
            if line.count > Self.lineBytes { state.isCut = true }
            state.lines.append(Array(line.prefix(Self.lineBytes)))
            state.bytes += min(line.count, Self.lineBytes) + 1
        }
    }

    /// Whether a line has a match, when all were looked at or patience is over.
    func finish(within patience: Duration = patience) async -> ConductRecord.Output {
        guard !Self.endless.withLock({ $0.contains(text) }) else {
            return unknown("the pattern is still matching a line of an earlier attempt")
        }
        let (done, end) = AsyncStream<Void>.makeStream()
        do {
            try DedicatedThread.start {
                self.search()
                end.finish()
            }
        } catch {
            return unknown("could not start a thread to search the output")
        }
        await withTaskGroup { group in
            group.addTask { for await _ in done {} }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
        let seen = state.withLock { state in
            state.isAbandoned = true
            if !state.isOver { Self.endless.withLock { _ = $0.insert(text) } }
            return state
        }
        if seen.isFound { return .init(pattern: text, isFound: true) }
        guard seen.isOver else {
            return unknown("the pattern was still matching \(patience.text) after the client ended")
        }
        guard !seen.isCut else { return unknown("the client wrote more output than is searched") }
        return .init(pattern: text, isFound: false)
    }

    private func unknown(_ why: String) -> ConductRecord.Output { .init(pattern: text, isFound: nil, trouble: why) }

    private func search() {
        let isFound = state.withLock(\.lines).contains { line in
            !state.withLock(\.isAbandoned) && String(decoding: line, as: UTF8.self).firstMatch(of: pattern) != nil
        }
        state.withLock { state in
            (state.isFound, state.isOver) = (isFound, true)
            if state.isAbandoned { Self.endless.withLock { _ = $0.remove(text) } }
        }
    }
}
