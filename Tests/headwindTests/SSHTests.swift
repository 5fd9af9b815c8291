import FoundationEssentials
import SystemPackage
import Testing

/// `headwind run --on ssh` with three hosts, which `SSH/laboratory` starts in their own namespaces.
@Suite("Runs on hosts over ssh", .serialized, .timeLimit(.minutes(4)), .needsRoot, .needsSSH)
struct SSHTests {
    private static let laboratory = FilePath(#filePath).removingLastComponent().appending("SSH/laboratory")

    /// Runs a script of ``EngineScript`` next to the hosts.
    ///
    /// In it, `$ON` selects the engine with these hosts.
    private func run(_ script: String) async throws -> ExecRun.Answer {
        let run = try ExecRun()
        defer { run.remove() }
        let hosts = """
            HW=$(readlink -f "$HW")
            printf '# the laboratory\\n1/lab1\\nlab2\\nlab3\\n' > hosts
            ON="--on ssh --engine-option hosts=hosts --engine-option config=$LAB/config --engine-option headwind=$HW"

            """
        return try await run.run(EngineScript.writing(hosts + script) + "\n\(Self.laboratory) lab sh ./script")
    }

    @Test func aHostThatDiesChangesNothingAboutTheResult() async throws {
        let answer = try await run(
            """
            "$HW" run --quick --output one > one.txt 2> one.err; echo "one $?"
            touch lab/kill.lab3
            "$HW" run --quick $ON --shards 3 --output lost > lost.txt 2> lost.err & pid=$!
            await 'runs on lab2' lost.err
            touch lab/kill.lab2
            wait $pid; echo "lost $?"
            cells one > one.cells; cells lost > lost.cells
            diff one.cells lost.cells && wc -l < lost.cells
            cat lost.err
            """)
        #expect(answer.output.contains("one 0\nlost 0\n6\n"), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("The host lab3 is left out."), "\(answer.output)")
        #expect(answer.output.contains("is run again: the connection to lab2 failed"), "\(answer.output)")
    }

    @Test func aKilledOrInterruptedCoordinatorIsResumed() async throws {
        let answer = try await run(
            """
            RUN="--only good --only offline --only pack-missing --quick $ON --shards 2"
            "$HW" run $RUN --output killed > killed.txt 2> killed.err & pid=$!
            await 'runs on lab' killed.err
            kill -KILL $pid; wait $pid
            "$HW" run --resume killed > resumed.txt 2> resumed.err; echo "resumed $?"
            cells killed
            "$HW" run $RUN --output cut > cut.txt 2> cut.err & pid=$!
            await '^.1/3. ' cut.err
            kill -INT $pid; wait $pid; echo "cut $?"
            "$HW" run --resume cut > again.txt 2> again.err; echo "again $?"
            cells cut
            cat resumed.err cut.err again.err
            """)
        let cells = "good pass\noffline pass\npack-missing pass\n"
        #expect(
            answer.output.contains("resumed 0\n\(cells)cut 130\nagain 0\n\(cells)"), "\(answer.output)\(answer.errors)")
    }

    /// A project's scenario is copied with its catalog and its profile, and a client with its libraries.
    @Test func theFilesOfAScenarioAreCopied() async throws {
        let answer = try await run(
            """
            mkdir -p project/content/level-1 && head -c 30000 /dev/urandom > project/content/level-1/map
            printf '%s\\n' 'profile: dsl' 'source: made for a test' 'downlink: {rate: 8 Mbps, delay: 10 ms}' \\
                'uplink: {rate: 1 Mbps, delay: 10 ms}' > project/dsl.yaml
            printf '%s\\n' 'scenario: travels' 'catalog: {folder: ./content, tags: by-folder}' \\
                'link: {profile: ./dsl.yaml}' 'workload: [{request: {tags: [level-1]}}]' 'expect: available' \\
                > project/travels.yaml
            "$HW" run project/travels.yaml $ON --client "$(dirname "$HW")/headwind-client" --output out \\
                > out.txt 2> out.err
            echo "out $?"; cells out; cat out.txt out.err; cat out/shards/shard-1.log
            ls lab/home.*/.cache/headwind/kit-*/packs/*/app-size | wc -l; ls -d out/shards/parallel
            cat lab/home.*/.cache/headwind/kit-*/clients/1/start-headwind-client | tail -n 1
            "$HW" run project/travels.yaml --on ssh --engine-option host=lab9 --engine-option config=$LAB/config \\
                --engine-option headwind=$HW --output none 2>&1 | tail -n 1
            """)
        #expect(answer.output.contains("out 0\ntravels pass\n"), "\(answer.output)\(answer.errors)")
        // Each host has the packs that were built here, and the record of parallel is kept.
        #expect(answer.output.contains("3\nout/shards/parallel\n"), "\(answer.output)")
        #expect(answer.output.contains("--library-path"), "\(answer.output)")
        #expect(answer.output.contains("Could not make the folder"), "\(answer.output)")
    }
}

extension Trait where Self == ConditionTrait {
    static var needsSSH: Self {
        let programs = ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/parallel", "/usr/bin/rsync"]
        return .enabled(
            if: programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
            "openssh-server, parallel or rsync is not installed: 'Scripts/setup --for test' installs them where they are to be had"
        )
    }
}
