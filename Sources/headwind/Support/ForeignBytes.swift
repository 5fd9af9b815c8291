import Glibc
import LinuxSupport

/// Arguments and variables that are not UTF-8: Swift's strings would pass changed bytes to a program.
enum ForeignBytes {
    /// 8 MiB: more than Linux passes to a program, with the usual limit of its stack; see execve(2).
    private static let mostBytes = 8 << 20

    /// Why a program cannot get this process's arguments and variables; nil if it can.
    static func refusal() -> String? {
        let arguments = CommandLine.unsafeArgv
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = arguments[index], String(validatingCString: argument) == nil else { continue }
            return
                "The argument '\(printable(bytes(of: argument)))' is not UTF-8, so CMD would not receive it "
                + "unchanged. Pass it from a script: headwind exec … -- sh -c '…'."
        }
        // See proc_pid_environ(5): the variables as this process received them.
        let given = (try? BoundedFile.read("/proc/self/environ", most: mostBytes)) ?? []
        let variables = given.split(separator: 0)
        guard let variable = variables.first(where: { String(validating: $0, as: UTF8.self) == nil }) else {
            return nil
        }
        let name = printable(variable.prefix { $0 != UInt8(ascii: "=") })
        return
            "The variable '\(name)' is not UTF-8, so CMD would not receive it unchanged. Unset it: env -u \(name) headwind …."
    }

    /// The text, with bytes outside ASCII in the notation of printf(1); at most 200 bytes.
    static func printable(_ bytes: some Collection<UInt8>) -> String {
        bytes.prefix(200).map { byte in
            if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func bytes(of text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
}
