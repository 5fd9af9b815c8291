import Foundation

/// A folder with a client that resumes: correctly, or by appending whatever answer arrives.
struct HuntTestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "hunt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    /// A folder `packs` with one pack of 90 kB.
    func addPack() throws {
        try FileManager.default.createDirectory(
            at: url.appending(path: "packs"), withIntermediateDirectories: true)
        try write("packs/a.bin", String(repeating: "0123456789", count: 9000))
    }

    func writeClient(isCareful: Bool) throws {
        // A careful client appends a response only if its status is 206.
        let rule = isCareful ? "[ \"$status\" = 206 ]" : "true"
        try write(
            "client.sh",
            """
            have=0
            for try in 1 2 3 4; do
                status=$(curl -s --max-time 8 -r "$have-" -o "$2.part" -w '%{http_code}' "$1")
                code=$?
                case $status in 200|206) ;; *) sleep 0.2; continue ;; esac
                if [ "$have" = 0 ] || \(rule); then cat "$2.part" >> "$2"; else cp "$2.part" "$2"; fi
                [ "$code" = 0 ] && exit 0
                have=$(stat -c %s "$2")
            done
            rm -f "$2"
            exit 1

            """)
    }

    /// What the last run of Headwind printed on stderr.
    var errors: String {
        get throws { try String(contentsOf: url.appending(path: "errors"), encoding: .utf8) }
    }

    /// Writes a scenario whose client is `client.sh`, in the folder itself.
    func writeScenario(_ name: String) throws {
        try write(
            name,
            """
            scenario: It delivers the pack
            packs: ./packs/
            link: {downlink: {delay: 2 ms}, uplink: {delay: 2 ms}}
            workload: {command: [sh, client.sh, "{url}", "{output}"], pack: a.bin, directory: ./}

            """)
    }

    /// The names in a folder of it, in order.
    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path).sorted()
    }

    func headwind(_ arguments: String...) throws -> (status: Int32, output: String) { try run(arguments) }

    /// Runs Headwind in the folder; returns what it prints on stdout, and leaves `errors` in the folder.
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try end(of: start(arguments))
    }

    /// Runs Headwind in the same way, and interrupts it as soon as `isDue`.
    func interrupt(_ arguments: [String], once isDue: () -> Bool) throws -> (status: Int32, output: String) {
        let process = try start(arguments)
        while process.isRunning, !isDue() { Thread.sleep(forTimeInterval: 0.005) }
        process.interrupt()
        return try end(of: process)
    }

    private var output: URL { url.appending(path: "output") }

    private func start(_ arguments: [String]) throws -> Process {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(filePath: executable).deletingLastPathComponent().appending(path: "headwind")
        process.arguments = arguments
        process.currentDirectoryURL = url
        process.standardInput = FileHandle.nullDevice
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        let errors = url.appending(path: "errors")
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        return process
    }

    private func end(of process: Process) throws -> (status: Int32, output: String) {
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
    }
}
