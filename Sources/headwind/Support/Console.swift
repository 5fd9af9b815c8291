import Documents
import Glibc
import PackFormat
import Reports
import Synchronization
import SystemPackage
import Wording

/// The output of a command: results on stdout, everything else on stderr.
enum Console {
    private static let outputFailure = Mutex<Errno?>(nil)
    private static let isProgressShown = Mutex(false)

    /// Whether a person watches stderr: it is a terminal that can redraw a line, and this is not CI.
    static let isInteractive = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" && environment("CI") == nil

    /// The colours of the result: none unless stdout is a terminal, without CI and NO_COLOR (no-color.org).
    static var palette: Palette {
        let isColoured =
            isatty(STDOUT_FILENO) == 1 && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
            && environment("CI") == nil
        return isColoured ? .ansi : .plain
    }

    /// Prints a part of the result, and a newline.
    static func out(_ text: TerminalText) {
        guard let failure = write("\(text)\n", to: STDOUT_FILENO) else { return }
        outputFailure.withLock { $0 = $0 ?? failure }
    }

    /// Prints lines of the result with one write.
    static func out(lines: [String]) {
        if !lines.isEmpty { out(TerminalText(lines: lines)) }
    }

    /// Whether all writes of the result have succeeded so far.
    static var hasReader: Bool { outputFailure.withLock { $0 == nil } }

    /// Whether the result can be written; a reader that went away (EPIPE) is no failure.
    static var isWritable: Bool { outputFailure.withLock { $0 == nil || $0 == .brokenPipe } }

    /// Throws if a part of the result could not be written; a reader that went away (EPIPE) is no failure, as in `|
    /// head`.
    static func checkOutput() throws {
        guard let failure = outputFailure.withLock({ $0 }), failure != .brokenPipe else { return }
        throw CommandFailure(
            failure.isNoRoom ? .infrastructure : .failed,
            "Could not write the result to standard output: \(failure.systemReason). "
                + (failure.isNoRoom ? "Make room, and run again." : "Redirect it to a writable file, and run again."))
    }

    /// Opens each closed standard stream: otherwise the next opened file would get its number, and its output.
    ///
    /// Reads and writes of such a stream still fail, as before.
    static func openStandardStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // open(2) takes the lowest free number, which is this stream.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Prints a value as JSON, with sorted keys.
    static func json(_ value: some Encodable) throws {
        out(TerminalText(json: String(try value.jsonText().dropLast())))
    }

    /// Prints a line on stderr, after it removes a progress line.
    static func note(_ text: TerminalText) {
        let prefix = isProgressShown.withLock { shown in
            defer { shown = false }
            return shown ? "\r\u{1B}[K" : ""
        }
        write("\(prefix)\(text)\n", to: STDERR_FILENO)
    }

    /// Shows a line that the next one replaces, cut to the terminal's width; does nothing unless ``isInteractive``.
    static func progress(_ text: TerminalText) {
        guard isInteractive else { return }
        let line = text.description
        isProgressShown.withLock { $0 = !line.isEmpty }
        write("\r\u{1B}[K" + TerminalLine.cut(line, columns: columns), to: STDERR_FILENO)
    }

    /// The current width of the terminal at stderr, see ioctl_tty(2); 80 if unknown.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The value of an environment variable; nil if it is not set.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Writes a whole text; after an error drops the rest, and returns the error.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Errno? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let failure = Errno(rawValue: errno)
                guard failure == .interrupted || failure == .wouldBlock else { return failure }
                continue
            }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}

/// Text on one row of a terminal.
enum TerminalLine {
    /// `text` cut to fewer than `columns` columns; `…` marks the cut.
    ///
    /// The last column stays free. If it were filled, the terminal would wrap to the next row, and redrawing the line
    /// would leave the row above behind.
    static func cut(_ text: String, columns: Int) -> String {
        let room = max(1, columns - 1)
        guard text.map(width).reduce(0, +) > room else { return text }
        var line = ""
        var used = 1
        for character in text {
            used += width(character)
            guard used <= room else { break }
            line.append(character)
        }
        return line + "…"
    }

    /// The columns of a character: two for East Asian ones and pictures (Unicode Standard Annex 11).
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
