import Glibc
package import SystemPackage

/// A program that the first line of a script needs, and that cannot be executed.
///
/// As execve(2) reads that line: a carriage return at its end belongs to the last word.
package struct MissingInterpreter: Hashable, Sendable {
    /// What is missing, and what the system answers, as the end of a sentence; a carriage return is written as `\r`.
    package let problem: String
    /// What to try, as part of a sentence.
    package let remedy: String

    /// Linux reads this many bytes of a program to find its interpreter (BINPRM_BUF_SIZE - 1).
    private static let mostBytes = 255

    /// Reads the first line of a program, to find what is missing.
    ///
    /// nil if nothing is, if the program is no script or cannot be read, or if the line is too long or names a relative
    /// path.
    package init?(of program: FilePath) {
        guard let bytes = try? BoundedFile.read(program, most: Self.mostBytes - 1), bytes.starts(with: "#!".utf8) else {
            return nil
        }
        var line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        guard line.endIndex < Self.mostBytes else { return nil }
        while let last = line.last, Self.isBlank(last) { line.removeLast() }
        let words = line.split(maxSplits: 1, whereSeparator: Self.isBlank)
        guard let first = words.first, first.first == UInt8(ascii: "/") else { return nil }
        guard let text = String(validating: first, as: UTF8.self) else { return nil }
        let interpreter = FilePath(text)
        if let error = Self.refusal(interpreter) {
            self.init(interpreter.string, reason: "\(error)")
            return
        }
        // env(1) gets the rest of the line as one argument.
        guard interpreter.lastComponent?.string == "env", words.count > 1 else { return nil }
        let name = String(decoding: words[1].drop(while: Self.isBlank), as: UTF8.self)
        // A relative path begins in the client's folder, which is not known here.
        guard !name.hasPrefix("-"), !name.contains("="), !name.contains("/") || name.hasPrefix("/"),
            Environment.program(name) == nil
        else { return nil }
        self.init(name, reason: "\(Errno.noSuchFileOrDirectory)" + (name.contains("/") ? "" : " in PATH"))
    }

    private init(_ name: String, reason: String) {
        problem = "its first line names '\(name.replacing("\r", with: "\\r"))': \(reason)"
        remedy =
            name.hasSuffix("\r")
            ? "remove the carriage returns at the ends of its lines, with dos2unix or sed -i 's/\\r$//'"
            : "install that program, or name another one in the first line"
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Why a file cannot be executed; nil if it can.
    private static func refusal(_ path: FilePath) -> Errno? {
        do {
            guard try path.stat().type == .regular else { return .permissionDenied }
        } catch { return error }
        return unsafe access(path.string, X_OK) == 0 ? nil : Errno(rawValue: errno)
    }
}
