import LinkModel
import SystemPackage
import Testing

@testable import headwind

/// `headwind profile record` against `headwind host`, over a link with known conditions.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProfileRecordTests {
    /// The link has two rates, two delays, and a gap between them.
    @Test func aKnownLinkIsRecorded() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let answer = try await run.run(
            """
            mkdir files; head -c 4000000 /dev/urandom > files/a.bin
            cat > way.yaml <<'END'
            profile: way
            source: Made for a test.
            downlink: {rate: 2 Mbit/s, delay: 50 ms}
            uplink: {delay: 50 ms}
            changes:
              - {at: 9 s, offline: silent}
              - {at: 13 s, downlink: {rate: 8 Mbit/s, delay: 10 ms}, uplink: {delay: 10 ms}}
            END
            $HW host --packs files --ready-file ready > /dev/null 2>&1 & host=$!
            trap 'kill $host; wait $host' EXIT
            for _ in $(seq 500); do [ -s ready ] && break; sleep 0.02; done
            port=$(sed -n 's/.*"port" *: *\\([0-9]*\\).*/\\1/p' ready)
            $HW exec --backend packet --profile ./way.yaml --forward $port -- "$HW" profile record \\
                http://127.0.0.1:$port/a.bin --for 22s --every 1s --output seen.yaml
            """)
        #expect(answer.status == 0, "\(answer)")
        let seen = try ProfileCommand.library().profile(file: run.folder.appending("seen.yaml"))
        let before = seen.conditions(at: .seconds(5))
        #expect(before.downlink.rate.map { (1_700_000...2_200_000).contains($0.bitsPerSecond) } == true, "\(answer)")
        #expect((.milliseconds(95) ... .milliseconds(130)).contains(before.rtt), "\(answer)")
        #expect(seen.conditions(at: .seconds(11)).offline == .silent, "\(answer)")
        let after = seen.conditions(at: .seconds(20))
        #expect(after.downlink.rate.map { (6_800_000...8_800_000).contains($0.bitsPerSecond) } == true, "\(answer)")
        #expect((.milliseconds(18) ... .milliseconds(40)).contains(after.rtt) && after.offline == nil, "\(answer)")
    }

    @Test func anExistingFileStays() async throws {
        let answer = try await ExecRun.line(
            """
            echo mine > seen.yaml; $HW profile record http://127.0.0.1:1/a.bin --output seen.yaml; echo $?; cat seen.yaml
            $HW profile record http://127.0.0.1:1/a.bin --for 2s; echo $?; $HW profile record ftp://a/b; echo $?
            """)
        #expect(answer.output == "64\nmine\n69\n65\n", "\(answer.errors)")
    }
}
