import Glibc
import ProcessGuard
import SystemPackage
import Testing

/// A copy of the scripts in its own checkout, on a machine with only the programs that a test adds.
struct Fixture {
    /// The outcome of a script.
    struct Answer {
        /// As in a shell: 128 plus the number of a signal.
        let status: Int32
        let output: String
        let errors: String
    }

    /// The tools that every Linux system has.
    private static let tools = [
        "awk", "bash", "cat", "chmod", "cp", "cut", "dirname", "env", "find", "flock", "grep", "gzip", "head", "ln",
        "mkdir", "mktemp", "mv", "readlink", "rm", "script", "sed", "setpriv", "sh", "sha256sum", "sleep", "sort",
        "tar", "touch", "uname", "xargs",
    ]

    /// The programs of a machine on which nothing is missing, apart from Swift.
    static let programs = [
        "pkg-config", "git", "curl", "wget", "aria2c", "unzip", "zip", "bsdtar", "ip", "pasta", "ping", "openssl",
        "python3",
        "strace", "tshark", "linux.uml", "modprobe", "cc", "chromium", "sbatch", "parallel", "rsync",
        "codespell", "mdl",
    ]

    let root: FilePath
    var checkout: FilePath { root.appending("checkout") }
    private var programs: FilePath { root.appending("bin") }

    static func with<Value>(_ body: (Fixture) async throws -> Value) async throws -> Value {
        let temporary = FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        return try await withScratchDirectory(in: temporary) { root in
            let fixture = Fixture(root: root)
            try await fixture.fill()
            return try await body(fixture)
        }
    }

    private func fill() async throws {
        let scripts = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let prepare = GuardedCommand(
            "sh",
            arguments: [
                "-ec",
                """
                chmod 777 "$2"; echo > "$2/swift-calls"; chmod 666 "$2/swift-calls"; mkdir "$2/bin" "$2/checkout" "$2/checkout/Sources"
                cp -r "$1/Scripts/." "$2/checkout/Scripts"; cp -r "$1/.ci/." "$2/checkout/.ci"
                echo > "$2/checkout/Package.swift"; echo one > "$2/checkout/Sources/one.swift"
                chmod -R a+rwX "$2/checkout"
                shift 1; bin=$1/bin; shift
                for tool; do ln -s "$(command -v "$tool")" "$bin/$tool"; done
                """, "sh", scripts.string, root.string,
            ] + Self.tools, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        try await #require(runGuarded(prepare).status == .exited(0))
        for program in Self.programs { try add(program) }
        try addSwift()
    }

    /// Adds a program, by default one that prints nothing and succeeds.
    func add(_ program: String, _ script: String = "exit 0") throws {
        try write("#!/bin/bash\n\(script)\n", to: programs.appending(program))
    }

    /// Adds a Swift that records its calls, and builds scripts as programs.
    ///
    /// The parameters are shell code.
    func addSwift(
        version: String = "6.3.1", build: String = ":", test: String = "exit 0", lint: String = "exit 0",
        package: String = "{}"
    ) throws {
        try add(
            "swift",
            """
            echo "$*" >> '\(root)/swift-calls'
            case $1 in
                --version) echo 'Swift version \(version) (swift-\(version)-RELEASE)' ;;
                format) \(lint) ;;
                test) \(test) ;;
                package) echo '\(package)' ;;
                build)
                    \(build)
                    mkdir -p '\(checkout)/.build/release'
                    for program in headwind headwind-sandbox headwind-client headwind-guard headwind-init; do
                        file='\(checkout)/.build/release/'$program
                        rm -f "$file"
                        { echo '#!/bin/bash'; echo 'pwd; printf "%s\\n" "$@"; eval "${ended-exit 7}"'; } > "$file"
                        chmod 755 "$file"
                    done ;;
            esac
            """)
    }

    /// Adds a Python that claims to have all modules that setup needs, and otherwise runs the machine's Python.
    func addPython() throws {
        // Without this, the script would be written through the link to the machine's own program.
        try remove("python3")
        try add("python3", "[[ $2 == 'import '* ]] || PATH=/usr/local/bin:/usr/bin exec python3 \"$@\"")
    }

    /// Makes Scripts/setup read this text as os-release(5).
    func setSystem(_ text: String) throws {
        try write(text + "\n", to: root.appending("os-release"))
        let script = checkout.appending("Scripts/setup")
        try write(self.text(of: script).replacing("=/etc/os-release", with: "=\(root)/os-release"), to: script)
    }

    func remove(_ program: String) throws {
        try #require(programs.appending(program).withPlatformString { unlink($0) } == 0)
    }

    /// The calls of Swift since the last time, without those that only ask for its version.
    func swiftCalls() throws -> [String] {
        let calls = try text(of: root.appending("swift-calls")).split(separator: "\n").map(String.init)
        try write("", to: root.appending("swift-calls"))
        return calls.filter { $0 != "--version" }
    }

    /// Makes the first `most` sleeps of a second short, and records them in the returned file.
    func hurry(until most: Int) throws -> FilePath {
        let ticks = root.appending("ticks")
        try write("", to: ticks)
        // Without this, the script would be written through the link to the machine's own program.
        try remove("sleep")
        try add(
            "sleep",
            """
            echo >> '\(ticks)'
            if (( $(grep -c '' '\(ticks)') < \(most) )); then exec /bin/sleep 0.01; else exec /bin/sleep 1; fi
            """)
        return ticks
    }

    /// Runs a script, by its path in the checkout.
    func run(
        _ script: String, _ arguments: [String] = [], asRoot: Bool = true, onTerminal: Bool = false,
        environment: [String: String] = [:]
    ) async throws -> Answer {
        var command = GuardedCommand(
            checkout.appending(script).string, arguments: arguments,
            environment: ["PATH": programs.string, "TMPDIR": root.string].merging(environment) { $1 })
        if !asRoot, geteuid() == 0 {
            command.arguments =
                ["--reuid=65534", "--regid=65534", "--clear-groups", command.executable] + command.arguments
            command.executable = "setpriv"
        }
        if onTerminal {
            // script(1) puts the standard error on the standard output too.
            command.arguments = [
                "-qec", ([command.executable] + command.arguments).joined(separator: " "), "/dev/null",
            ]
            command.executable = "script"
        }
        command.directory = root
        command.output = .streamed
        command.errors = .streamed
        let (exit, texts) = try await withGuardedProcess(command) { process in
            async let output = all(process.output)
            async let errors = all(process.errors)
            return try await (output, errors)
        }
        let status: Int32 =
            switch exit.status {
            case .exited(let status): status
            case .signaled(let signal): 128 + signal
            default: -1
            }
        return Answer(status: status, output: texts.0, errors: texts.1)
    }

    func write(_ text: String, to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate],
            permissions: [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }

    func text(of path: FilePath) throws -> String {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// The names in a folder.
    func list(_ directory: FilePath) async throws -> [String] {
        var command = GuardedCommand("/bin/ls", arguments: ["-A", directory.string], environment: ["LC_ALL": "C"])
        command.output = .streamed
        return try await withGuardedProcess(command) { try await all($0.output) }.value.split(separator: "\n").map(
            String.init)
    }

    private func all(_ output: GuardedOutput) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in output { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}
