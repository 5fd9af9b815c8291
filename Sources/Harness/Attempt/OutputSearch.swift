import LinkModel
import LinuxSupport
import Results
import Scenarios
import Synchronization

/// Searches a command's output for a line that matches a pattern, after the command has ended.
///
/// Matching a line may take any time, and cannot be stopped. So it runs on a thread of its own, and the result is
/// unknown if it takes too long.
final class OutputSearch: @unchecked Sendable {
    // Unchecked: the standard library does not declare that a compiled pattern, which is immutable, can be shared.
    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        /// Whether a line was dropped, or only searched in part.
        var isCut = false
        var isAbandoned = false
        var isOver = false
        var isFound = false
    }

    /// The limits in bytes on one line, and on all lines together.
    static let lineBytes = 4096
    static let mostBytes = 4 << 20
    /// How long the search may take.
    static let patience: Duration = .seconds(2)

    private let text: String
    private let pattern: Regex<AnyRegexOutput>
    private let state = Mutex(State())
    /// Patterns that are still matching for an attempt that has ended; a second search would take another processor.
    private static let endless = Mutex<Set<String>>([])

    /// nil if the scenario expects no output.
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

    /// Whether a line matches, once all are searched or `patience` (default: 2 s) is over.
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
