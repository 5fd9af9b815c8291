import Foundation

/// Downloads a file as a careful program does, or with one bug.
///
/// It resumes interrupted downloads, backs off, obeys Retry-After, gives up after a while, and leaves only a whole
/// file.
final class FetchMode: DownloadHooks {
    private let url: String
    private let output: String
    private let bugs: Bugs
    private let seed: UInt64
    private let way: Way
    private let bar: Bar

    init(_ options: Options) throws {
        guard options.words.count == 2 else { throw Options.Misuse("Name a URL and a file.") }
        (url, output) = (options.words[0], options.words[1])
        seed = try options.number("seed", 0)
        bugs = try Options.bugs(options["bug"], seed)
        // A file with more headers, one a line.
        let more = options["headers"].flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        way = Way(
            proxy: options["proxy"], authorities: options["ca"],
            fields: options.all("header") + more.split(separator: "\n").map(String.init),
            patience: try options.number("patience", 30))
        bar = Bar("fetch", Events(options["events"] == nil ? nil : 1), bugs)
    }

    /// Returns the exit status: 0 once the file is there.
    func run() throws -> Int32 {
        do {
            try fetch()
            return 0
        } catch let failure as Failure {
            BrokenClient.complain("\(url): \(failure.message) (\(failure.domain) \(failure.code))")
            guard bugs.has(.neverReportsError) else { return 1 }
            // BUG: it waits forever, for nothing.
            while bugs.isSecondForm { pause() }
            return 0
        }
    }

    private func fetch() throws {
        // BUG: takes an existing file for whole.
        if bugs.has(.keepsPartialAsWhole), FileManager.default.fileExists(atPath: output) { return }
        // BUG: there may be no new one.
        if bugs.has(.losesOldEdition) { unlink(output) }
        let missing = output + ".missing"
        // BUG: the host may have it by now.
        if access(missing, F_OK) == 0 { throw Failure(.missing, "The host answered with status 404.") }
        let part = try Part(output + ".part", note: output + ".part.json", bugs)
        let draw = Draw(seed: seed, key: "pauses")
        let download = Download(url, way, bugs, draw: draw, hooks: self, size: nil, isChecked: false)
        let mark = output + ".lock"
        if bugs.has(.stuckAfterKill) {
            // BUG: it stays if the client is killed.
            let lock = open(mark, O_CREAT | O_EXCL, 0o644)
            guard lock >= 0 else { throw Failure(.unwritable, "Another one downloads it.") }
            close(lock)
        } else if !bugs.has(.mixesDownloads) {
            // BUG: as if nobody else wrote to it.
            try part.lock()
        }
        defer { if bugs.has(.stuckAfterKill) { unlink(mark) } }
        do { try download.run(into: part) { _ in } } catch {
            // BUG: stays forever.
            if bugs.has(.cachesErrors), (error as? Failure)?.kind == .missing { close(creat(missing, 0o644)) }
            // BUG: a file with a longer name may be somebody else's.
            if bugs.has(.harmsOtherFiles) {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: output)
                if target != nil { truncate(output, 0) }
                let place = URL(filePath: output)
                Part.tidy(place.deletingLastPathComponent().path) { $0.hasPrefix(place.lastPathComponent) }
            }
            // BUG: the place of the whole file.
            if bugs.has(.keepsPartialAsWhole), part.size > 0 { rename(part.path, output) }
            throw error
        }
        // BUG: everybody may write to it.
        if bugs.has(.widensPermissions) { chmod(part.path, 0o666) }
        guard rename(part.path, output) == 0 else { throw Failure(.unwritable, "'\(output)' cannot be written.") }
        part.remove()
        bar.finish(part.size)
    }

    func progressed(_ size: Int64, of total: Int64?) { bar.progress(size, of: total ?? 0) }
    func asked(_ url: String, from: Int64, try number: Int) {}
    func answered(_ head: Head) {}
    func received(_ bytes: Int64) {}
    func retrying(in seconds: Double, because reason: String) {}
    func hold() throws -> Bool { false }
}
