import Foundation
import SystemPackage

/// What other programs read from an archive, in a few words.
enum OtherReaders {
    /// A program's exit status and output; nil if it is not on this machine.
    static func run(_ command: [String], in folder: FilePath? = nil) throws -> (status: Int32, text: String)? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["LC_ALL=C.UTF-8"] + command
        if let folder { process.currentDirectoryURL = URL(filePath: folder.string) }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 127 ? nil : (process.terminationStatus, text)
    }

    /// Info-ZIP's names, and whether its test of the archive finds a fault: `a b`, `a, warns`, `refuses`.
    static func unzip(_ file: FilePath) throws -> String? {
        guard let names = try run(["unzip", "-Z1", file.string]), let test = try run(["unzip", "-tqq", file.string])
        else { return nil }
        let list = names.text.split(separator: "\n").map { $0.prefix(20) }.joined(separator: " ")
        guard test.status <= 1, !list.isEmpty else { return "refuses" }
        return list + (test.status == 0 ? "" : ", warns")
    }

    /// The names of which Python's zipfile reads all bytes, or `refuses`.
    static func python(_ file: FilePath) throws -> String? {
        let script = """
            import sys, zipfile
            try:
                with zipfile.ZipFile(sys.argv[1]) as archive:
                    assert archive.testzip() is None
                    print(*(name[:20] for name in archive.namelist()))
            except Exception:
                print('refuses')
            """
        return try run(["python3", "-c", script, file.string])?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
