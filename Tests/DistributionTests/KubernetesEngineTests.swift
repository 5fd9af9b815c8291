import FoundationEssentials
import LinuxSupport
import SystemPackage
import Testing

@testable import Distribution

/// The manifest, and what a kubectl that records is given; no cluster has a part in it.
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

    @Test func theProxyNeedsNoRights() throws {
        let text = try Self.manifest([], words: [.init("--backend", "proxy")]).text
        #expect(!text.contains("Unconfined") && !text.contains("hostPath"))
    }

    @Test(arguments: ["", "image", "at-once=0", "volume=x", "volume=x:y", "array=1", "namespace=--x"])
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
                .stopped("pod p-1-x used more memory than it was given; memory=MORE gives it more")
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

    @Test func aPodIsToldWhenItsResultIsHere() async throws {
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
        await engine.cancel([submission])
        #expect(recorder.said.last?.prefix(4) == ["kubectl", "delete", "job,configmap", "headwind-1-1"])
    }

    @Test(
        .enabled(if: hasValidator, "kubernetes-validate of PyPI is not in PATH"),
        arguments: [[], ["cpu=2", "memory=4Gi", "at-once=1", "volume=content:/content"]])
    func manifestsAreValid(options: [String]) async throws {
        let bench = try Bench(shards: 1)
        for (number, text) in try Self.manifest(options).texts.enumerated() {
            let file = bench.output.appending("object-\(number).json")
            try bench.write(text, to: file)
            let answer = try await EnginePrograms.here.run("kubernetes-validate", ["--strict", file.string], nil)
            #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        }
        // It says so where a field is unknown.
        let wrong = bench.output.appending("wrong.json")
        try bench.write(
            try #require(try Self.manifest(options).texts.last).replacing("backoffLimitPerIndex", with: "backoffs"),
            to: wrong)
        #expect(try await EnginePrograms.here.run("kubernetes-validate", ["--strict", wrong.string], nil).status != 0)
    }

    private static let hasValidator = Environment.program("kubernetes-validate") != nil
}
