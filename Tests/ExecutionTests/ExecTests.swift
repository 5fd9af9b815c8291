import Documents
import Glibc
import Harness
import ProxyLink
import Testbed
import Testing

@testable import Execution

struct ExecTests {
    @Test func theCallersProxiesNeverLeakIntoTheRun() {
        let environment = [
            "PATH": "/bin", "HTTP_PROXY": "http://evil:1", "http_proxy": "http://evil:1", "FTP_PROXY": "http://evil:1",
            "npm_config_https_proxy": "http://evil:1", "npm_config_noproxy": "*", "NO_PROXY": "*",
            "PROXY_COLOUR": "blue",
        ]
        let proxy = "http://127.0.0.1:8080"
        let result = ProxyEnvironment.make(from: environment, proxy: Endpoint(host: "127.0.0.1", port: 8080))
        #expect(
            result == [
                "PATH": "/bin", "PROXY_COLOUR": "blue", "http_proxy": proxy, "https_proxy": proxy, "HTTPS_PROXY": proxy,
                "all_proxy": proxy, "ALL_PROXY": proxy, "no_proxy": "", "NO_PROXY": "",
            ])
    }

    @Test(
        arguments: [
            (["sh", "-c", "exit 0"], 0), (["sh", "-c", "exit 7"], 7), (["/bin/sh", "-c", "exit 125"], 125),
            (["sh", "-c", "kill -9 $$"], 137), (["sh", "-c", "kill -TERM $$"], 143),
            (["sh", "-c", "test \"$MARK\" = set"], 0),
        ] as [([String], Int32)])
    func theStatusOfTheProgramIsKept(command: [String], status: Int32) async throws {
        let environment = ["PATH": "/usr/bin:/bin", "MARK": "set"]
        let end = try await ForegroundProcess.run(command, environment: environment, keeping: []) { _ in }
        #expect(ExecStatus(end).status == status)
    }

    @Test(
        arguments: [
            ("/nonexistent/program", 127), ("no-such-program-anywhere", 127), ("/etc/passwd", 126), ("/", 126),
        ] as [(String, Int32)])
    func aProgramThatCannotRunSaysWhy(program: String, status: Int32) async {
        let error = await #expect(throws: ForegroundProcess.NotStarted.self) {
            try await ForegroundProcess.run([program], environment: [:], keeping: []) { _ in }
        }
        #expect(error?.status == status)
        #expect(error?.description.hasPrefix("could not run '\(program)': ") == true)
    }

    @Test func aClosedPipeEndsTheProgramAsItWouldWithoutUs() async throws {
        signal(SIGPIPE, SIG_IGN)
        let end = try await ForegroundProcess.run(
            ["sh", "-c", "kill -PIPE $$"], environment: ["PATH": "/usr/bin:/bin"], keeping: []
        ) { _ in }
        #expect(end == .signalled(SIGPIPE))
    }

    /// Runs in a process of its own, where nothing else opens descriptors or starts programs.
    @Test func aProgramInheritsNothingThatWasOpenedSince() async {
        await #expect(processExitsWith: .success) {
            let kept = dup(STDIN_FILENO)
            let descriptors = InheritedDescriptors()
            let own = dup(STDIN_FILENO)
            descriptors.keepOthersFromPrograms()
            let script = "test -e /proc/self/fd/\(kept) && ! test -e /proc/self/fd/\(own)"
            let end = try await ForegroundProcess.run(
                ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], keeping: descriptors.forPrograms
            ) { _ in }
            #expect(end == .exited(0))
        }
    }

    @Test func theStatusFileSaysMoreThanTheStatus() throws {
        #expect(
            try ExecStatus(status: 125, cause: .headwind, message: "it broke").jsonText() == """
                {
                  "cause" : "headwind",
                  "message" : "it broke",
                  "status" : 125,
                  "version" : 1
                }

                """)
    }

    @Test(arguments: [
        SandboxError.failed(attempted: "be heard", .tooManyOpenFiles), .misunderstood("nonsense"),
        .noResources(attempted: "open a pipe", .tooManyOpenFiles),
    ])
    func aProgramThatMayHaveRunIsNotRunByAnotherBackend(error: SandboxError) {
        #expect(PacketExec.cause(error, mayHaveStarted: false) is PacketExec.Unavailable)
        #expect(PacketExec.cause(error, mayHaveStarted: true) as? SandboxError == error)
    }
}
