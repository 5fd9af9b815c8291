import Foundation
import Testing

/// Headless Chromium, which opens one page and exits.
struct Chromium {
    static let program = "/usr/bin/chromium"

    let folder: URL

    /// The page after it has settled, and its messages on the console.
    struct Answer {
        var document: String
        var console: [String]

        /// A value that the test's script stored in the document.
        func said(_ name: String) -> String? {
            let mark = "data-\(name)=\""
            guard let start = document.firstRange(of: mark)?.upperBound else { return nil }
            return String(document[start...].prefix { $0 != "\"" })
        }
    }

    static func with<Value>(_ body: (Chromium) throws -> Value) throws -> Value {
        try #require(
            FileManager.default.isExecutableFile(atPath: program), "Chromium is missing: apt-get install chromium")
        let folder = FileManager.default.temporaryDirectory.appending(path: "chromium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(Chromium(folder: folder))
    }

    /// Opens a page at a fragment, in a window of `width` pixels, and runs a script of the test in it.
    func open(_ page: String, at place: String = "", width: Int = 1280, script: String = "") throws -> Answer {
        let file = try write(page, script)
        let output = try run([
            "--dump-dom", "--window-size=\(width),1000", "--virtual-time-budget=4000", file.absoluteString + place,
        ])
        return Answer(
            document: output.text,
            console: output.errors.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
    }

    /// The bytes of a screenshot (PNG), or with `printed` of the printed pages (PDF).
    func picture(_ page: String, at place: String = "", script: String = "", printed: Bool = false) throws -> Data {
        let file = try write(page, script)
        let picture = folder.appending(path: printed ? "page.pdf" : "page.png")
        let option = printed ? "--print-to-pdf=\(picture.path)" : "--screenshot=\(picture.path)"
        _ = try run([
            option, "--no-pdf-header-footer", "--window-size=1440,1000", "--virtual-time-budget=4000",
            file.absoluteString + place,
        ])
        return try Data(contentsOf: picture)
    }

    private func write(_ page: String, _ script: String) throws -> URL {
        let file = folder.appending(path: "report.html")
        let whole = script.isEmpty ? page : page.replacing("</body>", with: "<script>\(script)</script></body>")
        try Data(whole.utf8).write(to: file)
        return file
    }

    private func run(_ arguments: [String]) throws -> (text: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments =
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                "--v=0",
                "--user-data-dir=\(folder.appending(path: "profile").path)",
            ] + arguments
        let files = try ["out", "err"].map { name in
            let file = folder.appending(path: name)
            try Data().write(to: file)
            return file
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        let deadline = Date.now.addingTimeInterval(60)
        while process.isRunning, Date.now < deadline { usleep(10_000) }
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (texts[0], texts[1])
    }
}
