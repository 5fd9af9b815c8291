import Glibc
import SystemPackage

/// Arguments and variables that are no UTF-8: a program that gets them through Swift's strings would get others.
enum ForeignBytes {
    /// Why a program cannot have what this process was given; nil where it can.
    static func refusal() -> String? {
        let arguments = CommandLine.unsafeArgv
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = arguments[index], String(validatingCString: argument) == nil else { continue }
            return "The argument '\(printable(bytes(of: argument)))' is no UTF-8, and would not reach CMD as it is. "
                + "Have a script give it: headwind exec … -- sh -c '…'."
        }
        let variables = (try? environment()) ?? []
        guard let variable = variables.first(where: { String(validating: $0, as: UTF8.self) == nil }) else {
            return nil
        }
        let name = printable(Array(variable.prefix { $0 != UInt8(ascii: "=") }))
        return "The variable '\(name)' is no UTF-8, and would not reach CMD as it is. "
            + "Take it away: env -u \(name) headwind …."
    }

    /// The text with bytes of other encodings as they are written for printf(1).
    static func printable(_ bytes: [UInt8]) -> String {
        bytes.prefix(200).map { byte in
            if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func bytes(of text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }

    /// The variables as this process was given them; see proc_pid_environ(5).
    private static func environment() throws -> [[UInt8]] {
        let file = try FileDescriptor.open("/proc/self/environ", .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                guard count > 0 else { break }
                bytes += chunk.prefix(count)
            }
            return bytes.split(separator: 0).map(Array.init)
        }
    }
}
