import FoundationEssentials
import Glibc
import LinuxSupport
import Synchronization
import SystemPackage
import Testing

@testable import Distribution

/// The calls of ssh, rsync and parallel, and the meaning of their answers, without hosts.
struct SSHEngineTests {
    @Test func optionsNameHosts() throws {
        let bench = try Bench(shards: 1)
        let file = bench.output.appending("hosts")
        try bench.write("# two of them\n\n2/lab1\nuser@lab2\nlab1\n", to: file)
        let options = try SSHOptions(["hosts=\(file)", "host=lab3", "config=c d", "headwind=/opt/bin/headwind"])
        #expect(options.hosts == ["lab1", "user@lab2", "lab3"])
        #expect(options.command.hasSuffix("-F 'c d'"))
        #expect(options.headwind == "/opt/bin/headwind")
    }

    @Test(arguments: [
        "", "host", "host=", "host=-oProxyCommand=x", "host=a b", "host=a;b", "hosts=/nowhere", "mem=4G",
        "folder=../x", "folder=a b", "headwind=$(x)", "headwind=-x",
    ]) func noOption(text: String) {
        #expect(throws: EngineError.self) { try SSHOptions(["host=lab1", text]) }
    }

    @Test func aHostIsNeeded() { #expect(throws: EngineError.self) { try SSHOptions([]) } }

    @Test(
        arguments: [
            ("0\t0", .ended(status: 0)), ("99\t0", .ended(status: 99)), ("75\t0", .ended(status: 75)),
            ("255\t0", .lost("the connection to lab1 failed: closed")),
            ("127\t0", .lost("lab1 could not start it (status 127): closed")),
            ("71\t0", .lost("lab1 could not start it (status 71): closed")),
            ("137\t0", .lost("a signal ended it on lab1 (9)")), ("0\t15", .lost("a signal ended it on lab1 (15)")),
            ("-1\t2", .lost("a signal ended it on lab1 (2)")),
        ] as [(String, ShardState)]) func endsOfJobs(end: String, state: ShardState)
    {
        let log = SSHJobLog(
            "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
                + "2\tlab1\t1795685734.069\t     1.839\t0\t30\t\(end)\tsh x 2\n3\tlab1\t1\n")
        #expect(log.ends.keys.sorted() == [2])
        #expect(log.ends[2]?.state(errors: "closed") == state)
    }

    @Test func librariesAreReadFromLdd() {
        let text = """
            \tlinux-vdso.so.1 (0x00007ffd0)
            \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f1)
            \tlibgone.so => not found
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f2)
            """
        #expect(SSHKitDraft.libraries(text) == ["/lib/x86_64-linux-gnu/libz.so.1", "/lib64/ld-linux-x86-64.so.2"])
        #expect(SSHKitDraft.libraries("\tstatically linked\n").isEmpty)
    }

    @Test func wordsArriveUnchanged() {
        let script = SSHScript(
            program: "/opt/headwind", count: 3, kit: "kit-1", directory: "/a b",
            words: ["--only", "it's $HOME", "\(SSHKit.mark)/clients/1/start-x y"])
        #expect(script.text.contains(#"cd "$kit/files"'/a b'"#))
        #expect(script.text.contains(#"--only 'it'\''s $HOME' "$kit"'/clients/1/start-x y'"#))
    }

    /// A host that cannot be used is reported, and the others are used; if none is left, nothing is started.
    @Test(arguments: [(["lab1"], ["lab2"]), ([], ["lab1", "lab2"]), (["lab1", "lab2"], [])])
    func hostsThatCannotBeUsedAreLeftOut(dead: [String], ready: [String]) async throws {
        let bench = try Bench(shards: 2, options: ["host=lab1", "host=lab2", "headwind=/opt/headwind"])
        let recorder = SlurmEngineTests.Recorder { program, words in
            guard program == "ssh", dead.contains(where: words.contains) else {
                return .init(status: 0, output: words.last?.hasSuffix("--version") == true ? "1\n" : "")
            }
            return .init(status: 255, errors: "no route")
        }
        var plan = bench.plan
        plan.command.directory = bench.output.string
        try FileManager.default.createDirectory(
            atPath: bench.places.folder.string + "/kit.new/files" + bench.output.string,
            withIntermediateDirectories: true)
        let engine = try SSHEngine(EngineContext(places: bench.places, plan: plan, programs: recorder.programs))
        let submission = Submission(number: 1, shards: [1, 2])
        guard !ready.isEmpty else {
            let error = await #expect(throws: EngineError.self) { try await engine.submit(submission) }
            #expect(error?.description.contains("no route") == true)
            #expect(!recorder.said.contains { $0[0] == "parallel" })
            return
        }
        #expect(try await engine.submit(submission) == ready)
        var status = stat()
        #expect(stat(bench.places.folder.appending("shard.sh").string, &status) == 0 && status.st_mode & 0o077 == 0)
    }

    /// The host's own result is removed when it is here, and a coordinator may ask again.
    @Test func aResultIsFetchedOnce() async throws {
        let bench = try Bench(shards: 1, options: ["host=lab1", "headwind=/opt/headwind"])
        let far = Mutex(true)
        let recorder = SlurmEngineTests.Recorder { program, words in
            guard program == "rsync", let place = words.last else {
                far.withLock { $0 = false }
                return .init(status: 0)
            }
            guard far.withLock({ $0 }) else { return .init(status: 23, errors: "No such file or directory (2)") }
            try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            return .init(status: 0)
        }
        try bench.write("Shard 1 runs on lab1, whose name is x.\n", to: bench.places.log(1))
        let submission = Submission(number: 1, shards: [1], jobs: ["lab1"])
        for _ in 1...2 {
            let engine = try SSHEngine(
                EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
            let part = bench.places.part(1, of: submission)
            #expect(try await engine.collect(1, of: submission) == part && part.isFolder)
        }
        #expect(recorder.said.map(\.[0]) == ["rsync", "ssh", "rsync"])
    }

    @Test func anotherVersionIsRefused() async throws {
        let bench = try Bench(shards: 1, options: ["host=lab1", "headwind=/opt/headwind"])
        let recorder = SlurmEngineTests.Recorder { _, _ in .init(status: 0, output: "0.9\n") }
        let engine = try SSHEngine(EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        let error = await #expect(throws: EngineError.self) {
            try await engine.submit(Submission(number: 1, shards: [1]))
        }
        #expect(error?.description == "Could not use lab1, which needs Headwind 1: 'headwind --version' said: 0.9")
    }
}
