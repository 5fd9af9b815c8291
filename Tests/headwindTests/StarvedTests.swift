import Glibc
import Testing

/// Too few descriptors, threads or addresses cause a message and a status, never a signal or an endless wait.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5)))
struct StarvedTests {
    /// Command lines that are run with reduced limits.
    static let commands = [
        "profile list", "pack build cat --by-folder --output built", "host packs --packs",
        "proxy --profile wifi --control 127.0.0.1:0", "exec --profile wifi --backend proxy -- true",
        "exec --profile wifi --backend packet -- true", "exec --profile wifi -- true", "doctor",
        "run quick.yaml --backend proxy --jobs 4 --output results", "run quick.yaml --jobs 1",
        "check --only good-link --jobs 1 -- curl -fo '{output}' '{url}'",
        "request a --packs-url http://127.0.0.1:9/ --store device --patience 1s",
    ]

    private static func run(_ command: String, _ less: String, user: String = "") async throws -> ExecRun.Answer {
        try await ExecRun.line(
            """
            mkdir -p packs cat/one tmp && printf abc | tee packs/a.bin > cat/one/a && export TMPDIR=$PWD/tmp CI=1
            cat > quick.yaml <<'END'
            scenario: Quick
            packs: ./packs/
            link: {downlink: {delay: 5 ms}, uplink: {delay: 5 ms}}
            workload: [{request: {tags: [a.bin]}}]
            budgets: {requests: each == 1}
            matrix: {link.seed: [1, 2, 3, 4]}
            END
            chmod -R a+rwX . && exec timeout -k 5 -s INT 3 \(user) prlimit \(less) $HW \(command)
            """)
    }

    private static func expectRefusal(_ answer: ExecRun.Answer, _ command: String, raise: String) {
        let status: Int32 = command.hasPrefix("exec") ? 125 : 69
        #expect(answer.status == status, "\(command): \(answer)")
        #expect(answer.errors.contains(#/headwind: .* needs \d+ (MiB )?more .* but there (is|are) \d+ /#), "\(answer)")
        #expect(answer.errors.contains(raise), "\(answer)")
        #expect(answer.errors.split(separator: "\n").count == 1 && answer.output.isEmpty, "\(answer)")
    }

    @Test(arguments: commands, [4, 10])
    func hardlyAnyDescriptor(command: String, limit: Int) async throws {
        let answer = try await Self.run(command, "--nofile=\(limit):\(limit)")
        Self.expectRefusal(answer, command, raise: "ulimit -n ")
    }

    /// Enough for any command that has no hosts, links or cells.
    @Test(arguments: commands.dropFirst(2))
    func runsWithFewDescriptors(command: String) async throws {
        let answer = try await Self.run(command, "--nofile=24:24")
        Self.expectRefusal(answer, command, raise: "ulimit -n ")
    }

    /// Only the soft limit is low: headwind raises its own, and its client keeps the original one.
    @Test func softLimit() async throws {
        let answer = try await Self.run("exec --profile wifi --backend proxy -- sh -c 'ulimit -n'", "--nofile=30:2000")
        #expect(answer.status == 0 && answer.output == "30\n", "\(answer)")
        let run = try await ExecRun.line(
            """
            cat > limit.yaml <<'END'
            scenario: Limit
            packs: ./packs/
            link: {profile: wifi, fidelity: modelled}
            workload: {command: [sh, -c, 'ulimit -n; exec curl -sf -o {output} {url}'], pack: a.bin}
            expect: {exit: 0, output: '^30$'}
            END
            mkdir packs && printf abc > packs/a.bin
            prlimit --nofile=30:2000 $HW run limit.yaml --verbose --output results > said; grep -h 'output' said
            """)
        #expect(run.output.contains("pass    expect:output"), "\(run)")
    }

    /// Needs root to become a user without other processes, as the limit does not bind root.
    @Test(.needsRoot, arguments: commands, [1, 4])
    func runsWithFewThreads(command: String, limit: Int) async throws {
        let answer = try await Self.run(command, "--nproc=\(limit):\(limit)", user: "$CONFINE --user 65531 --")
        Self.expectRefusal(answer, command, raise: "ulimit -u ")
    }

    /// The libraries of Swift and of Debian alone map 130 MB.
    @Test(arguments: commands)
    func runsWithLittleAddressSpace(command: String) async throws {
        let answer = try await Self.run(command, "--as=200000000:200000000")
        Self.expectRefusal(answer, command, raise: "ulimit -v ")
    }

    /// With limits in between, each command ends with a status that it documents.
    @Test(
        arguments: commands.filter { !$0.hasPrefix("run") && !$0.hasPrefix("check") },
        ["--nofile=64:64", "--as=260000000", "--as=700000000"])
    func betweenLittleAndEnough(command: String, less: String) async throws {
        let answer = try await Self.run(command, less)
        #expect([0, 1, 69, 75, 124, 125, 130].contains(answer.status), "\(command): \(answer)")
        if [69, 75, 125].contains(answer.status) { #expect(answer.errors.contains("ulimit -"), "\(answer)") }
    }

    /// A limit of file size (RLIMIT_FSIZE) causes a message with the limit, and no signal (SIGXFSZ).
    @Test(
        arguments: ["pack build cat --by-folder --output built", "run quick.yaml --backend proxy --output results"],
        [0, 64])
    func hardlyAnyFileSize(command: String, bytes: Int) async throws {
        // The output goes through a pipe, as the limit would bound the files with the answer too.
        let piped = "sh -c 'exec 3>&1; { \"$@\" 2>&1; echo \"status $?\" >&3; } | cat' --"
        let said = "\(piped) prlimit --fsize=\(bytes):\(bytes)"
        let answer = try await Self.run(command, "", user: said)
        #expect(answer.output.contains("status 75\n"), "\(command): \(answer)")
        #expect(answer.output.contains("File too large"), "\(answer)")
        if bytes > 0 { #expect(answer.output.contains("files of at most \(bytes) bytes"), "\(answer)") }
        #expect(!answer.output.contains("Domain"), "\(answer)")
    }

    /// A started program gets the signal, as without headwind.
    @Test(arguments: ["proxy", "packet"])
    func aProgramHasTheSignalOfItsFileSize(backend: String) async throws {
        let answer = try await Self.run(
            "exec --profile wifi --backend \(backend) -- sh -c 'ulimit -f 0; exec head -c 1 /dev/zero > x'", "--core=0")
        #expect(answer.status == 128 + SIGXFSZ, "\(answer)")
    }
}
