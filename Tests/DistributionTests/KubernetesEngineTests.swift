import FoundationEssentials
import LinuxSupport
import Synchronization
import SystemPackage
import Testing

@testable import Distribution

/// The manifest, and the calls of kubectl, without a cluster.
struct KubernetesEngineTests {
    private static func manifest(_ options: [String], words: [ShardCommand.Option] = []) throws -> KubernetesManifest {
        var plan = try Bench(shards: 3).plan
        plan.command.options += words
        plan.command.directory = "/project"
        plan.command.scenarios = ["/project/a.yaml", "b"]
        return KubernetesManifest(
            plan: plan, submission: Submission(number: 2, shards: [1, 3]),
            options: try KubernetesOptions(["image=r.example/headwind:1"] + options),
            files: [.init(path: "/project/a.yaml", text: "scenario: a\n")])
    }

    @Test(arguments: [[], ["cpu=2", "memory=4Gi", "at-once=1", "volume=content:/content"]])
    func manifestsSayWhatAClusterNeeds(options: [String]) throws {
        let text = try Self.manifest(options).text
        for part in [
            #""completionMode": "Indexed""#, #""backoffLimitPerIndex": 2"#, "DisruptionTarget", #""Unconfined""#,
            "/dev/net/tun", #""/work/files/project/a.yaml""#, "$$SHARDS",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("75, 9"))
    }

    @Test(arguments: [[], ["volume=content:/content"]])
    func durationsGoAlong(options: [String]) async throws {
        let bench = try Bench(shards: 2)
        var plan = bench.plan
        plan.options = ["image=x"] + options
        plan.hasMeasuredDurations = true
        let engine = try KubernetesEngine(EngineContext(places: bench.places, plan: plan))
        let draft = try await engine.draft(of: Submission(number: 1, shards: [1, 2]))
        let place = "/work/files\(bench.places.durations)"
        #expect(draft.contains(#""--durations""#) && draft.contains(#""\#(place)""#), "\(draft)")
        let list = try JSONDecoder().decode([String: Double].self, from: Data(plan.durations.utf8))
        #expect(list.count == plan.cells.joined().count)
        let quoted = String(decoding: try JSONEncoder().encode([plan.durations]).dropFirst().dropLast(), as: UTF8.self)
        #expect(draft.contains(quoted), "\(quoted)")
    }

    @Test func theProxyNeedsNoRights() throws {
        let text = try Self.manifest([], words: [.init("--backend", "proxy")]).text
        #expect(!text.contains("Unconfined") && !text.contains("hostPath"))
    }

    @Test func resultsGoToAnObjectStoreAndTheirAddressesStaySecret() async throws {
        let bench = try Bench(shards: 2)
        let urls = bench.output.appending("urls")
        try bench.write(
            (1...2).map { "\($0) https://s3.example/put-\($0)?sign=hush https://s3.example/get-\($0)?sign=hush" }
                .joined(
                    separator: "\n"), to: urls)
        var plan = bench.plan
        plan.options = ["image=x", "results-urls=\(urls)"]
        let written = Mutex<[String]>([])
        let recorder = SlurmEngineTests.Recorder { program, words in
            for word in words where word.hasSuffix(".secret") {
                written.withLock { $0.append((try? String(contentsOfFile: word, encoding: .utf8)) ?? "") }
            }
            if program == "tar", let index = words.firstIndex(of: "-C") {
                try? FileManager.default.createDirectory(
                    atPath: words[index + 1] + "/result", withIntermediateDirectories: true)
            }
            let ended = #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 99}}}]}"#
            return .init(status: 0, output: words.contains("get") ? Self.pods(ended) : "")
        }
        let engine = try KubernetesEngine(EngineContext(places: bench.places, plan: plan, programs: recorder.programs))
        var submission = Submission(number: 1, shards: [1, 2])
        submission.jobs = try await engine.submit(submission)
        #expect(try await engine.states(of: [submission])[2] == .ended(status: 99))
        let part = bench.places.part(2, of: submission)
        #expect(try await engine.collect(2, of: submission) == part && part.isFolder)
        #expect(recorder.said.contains { $0.first == "curl" && $0.contains("--config") })
        #expect(written.withLock { $0 } == ["url = \"https://s3.example/get-2?sign=hush\"\n"])
        let manifest = try String(
            contentsOfFile: bench.places.folder.appending("kubernetes-1.json").string, encoding: .utf8)
        #expect(manifest.contains("/headwind-results") && !manifest.contains("hush"))
        #expect(!recorder.said.joined().joined().contains("hush"))
        #expect(try !encoded(plan).contains("hush"))
        #expect(!FileManager.default.fileExists(atPath: bench.places.folder.appending("kubernetes.secret").string))
        let secret = try #require(
            KubernetesManifest(
                plan: plan, submission: submission, options: try KubernetesOptions(plan.options), files: []
            ).secret)
        #expect(secret.contains(#""put-1": "url = \"https://s3.example/put-1?sign=hush\"\n""#))
        // A shard that the file does not have.
        submission.shards = [3]
        await #expect(throws: EngineError.self) { try await engine.submit(submission) }
    }

    private func encoded(_ plan: ShardPlan) throws -> String {
        String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
    }

    @Test(
        arguments: [
            "1 https://a", "x https://a https://b", "1 ftp://a https://b", "1 https://a\" https://b",
            "1 https://a https://b\n1 https://a https://b", "0 https://a https://b",
        ]) func wrongAddressesAreRefusedAndNotShown(_ text: String) throws
    {
        let bench = try Bench(shards: 1)
        let urls = bench.output.appending("urls")
        try bench.write(text, to: urls)
        do {
            _ = try ResultAddresses(urls, option: "results-urls=\(urls)")
            Issue.record("it was taken")
        } catch let error as EngineError {
            #expect(!error.description.contains("https://a"), "\(error)")
        }
    }

    @Test(arguments: [
        "", "image", "at-once=0", "volume=x", "volume=x:y", "array=1", "namespace=--x", "packs=x", "results-urls=/none",
    ])
    func noOption(text: String) {
        #expect(throws: EngineError.self) { try KubernetesOptions(["image=x", text]) }
    }

    @Test func anImageIsNeeded() { #expect(throws: EngineError.self) { try KubernetesOptions([]) } }

    /// A pod of the job's second index, which has shard 2.
    private static func pods(_ status: String) -> String {
        """
        {"items": [{"metadata": {"name": "p-1-x", "creationTimestamp": "2026-01-01T00:00:00Z",
          "annotations": {"batch.kubernetes.io/job-completion-index": "1"}}, "spec": {"nodeName": "n1"},
          "status": \(status)}]}
        """
    }

    @Test(
        arguments: [
            (#"{"phase": "Pending"}"#, .waiting(nil)),
            (
                #"{"phase": "Pending", "containerStatuses": [{"state": {"waiting": {"reason": "ErrImagePull"}}}]}"#,
                .waiting("ErrImagePull")
            ),
            (#"{"phase": "Running", "containerStatuses": [{"ready": false, "state": {}}]}"#, .running(machine: "n1")),
            (#"{"phase": "Running", "containerStatuses": [{"ready": true, "state": {}}]}"#, .ended(status: 99)),
            (
                #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 99}}}]}"#,
                .ended(status: 99)
            ),
            (
                #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 69}}}]}"#,
                .ended(status: 69)
            ),
            (
                #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 76}}}]}"#,
                .ended(status: 75)
            ),
            (
                #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 75}}}]}"#,
                .waiting("pod p-1-x ended with status 75, and another one is started")
            ),
            (
                #"{"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": "True"}]}"#,
                .waiting("pod p-1-x ended with status 137, and another one is started")
            ),
            (
                #"{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 137, "#
                    + #""reason": "OOMKilled"}}}]}"#,
                .stopped("pod p-1-x used more memory than its limit; raise it with memory=MORE")
            ),
        ] as [(String, ShardState)]) func statesOfPods(status: String, state: ShardState) async throws
    {
        let bench = try Bench(shards: 2, options: ["image=x", "namespace=n"])
        let recorder = SlurmEngineTests.Recorder { _, words in
            .init(status: 0, output: words.contains("get") ? Self.pods(status) : "99\n")
        }
        let context = EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs)
        let engine = try KubernetesEngine(context)
        let submission = Submission(number: 1, shards: [1, 2], jobs: ["headwind-1-1"])
        #expect(try await engine.states(of: [submission]) == [1: .waiting(nil), 2: state])
        #expect(
            recorder.said.first == [
                "kubectl", "--namespace=n", "get", "pods", "--selector=batch.kubernetes.io/job-name=headwind-1-1",
                "--output=json",
            ])
    }

    @Test func aPodIsNotifiedWhenItsResultWasFetched() async throws {
        let bench = try Bench(shards: 2, options: ["image=x"])
        let recorder = SlurmEngineTests.Recorder { _, words in
            if words.first == "cp", let place = words.last {
                try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            }
            let ready = #"{"phase": "Running", "containerStatuses": [{"ready": true, "state": {}}]}"#
            return .init(status: 0, output: words.contains("get") ? Self.pods(ready) : "0\n")
        }
        let engine = try KubernetesEngine(
            EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        let submission = Submission(number: 1, shards: [1, 2], jobs: ["headwind-1-1"])
        _ = try await engine.states(of: [submission])
        let part = bench.places.part(2, of: submission)
        #expect(try await engine.collect(2, of: submission) == part)
        #expect(
            recorder.said.suffix(2) == [
                ["kubectl", "cp", "--container=shard", "p-1-x:/work/result", "\(part).new"],
                ["kubectl", "exec", "p-1-x", "--container=shard", "--", "touch", "/work/fetched"],
            ])
        #expect(await engine.cancel([submission]))
        #expect(recorder.said.last?.prefix(4) == ["kubectl", "delete", "job,configmap,secret", "headwind-1-1"])
    }

    @Test(arguments: [[], ["cpu=2", "memory=4Gi", "at-once=1", "volume=content:/content"]])
    func manifestsAreValid(options: [String]) async throws {
        let bench = try Bench(shards: 1)
        let validator = try await Self.validator()
        for (number, text) in try Self.manifest(options).texts.enumerated() {
            let file = bench.output.appending("object-\(number).json")
            try bench.write(text, to: file)
            let answer = try await EnginePrograms.here().run(validator, ["--strict", file.string], nil)
            #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        }
        // The validator finds an unknown field.
        let wrong = bench.output.appending("wrong.json")
        try bench.write(
            try #require(try Self.manifest(options).texts.last).replacing("backoffLimitPerIndex", with: "backoffs"),
            to: wrong)
        #expect(try await EnginePrograms.here().run(validator, ["--strict", wrong.string], nil).status == 1)
    }

    /// The path of kubernetes-validate from PyPI.
    private static func validator() async throws -> String {
        let folder = FilePath(#filePath).removingLastComponent()
        let script = folder.appending("../../Scripts/python-environment").lexicallyNormalized()
        let made = try await EnginePrograms.here().runLong(script.string, [folder.appending("requirements.txt").string])
        try #require(made.status == 0, "\(made.errors)")
        return made.output.trimmed + "/bin/kubernetes-validate"
    }
}
