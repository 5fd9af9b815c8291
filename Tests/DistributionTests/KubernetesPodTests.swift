import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import Distribution

/// What a pod does with a result, and which pods count.
struct KubernetesPodTests {
    @Test(arguments: [(["", "", ""], 3), (["DisruptionTarget", "DisruptionTarget", ""], 1), (["Ready", ""], 2)])
    func disruptedPodsAreNoTries(conditions: [String], tries: Int) throws {
        let pods = conditions.enumerated().map { number, condition in
            """
            {"metadata": {"name": "p-\(number)", "creationTimestamp": "2026-01-01T00:00:0\(number)Z",
              "annotations": {"batch.kubernetes.io/job-completion-index": "0"}},
              "status": {"phase": "Failed", "conditions": [{"type": "\(condition)", "status": "True"}]}}
            """
        }
        let newest = try KubernetesPods(json: "{\"items\": [\(pods.joined(separator: ","))]}").newest(of: 0)
        #expect(newest?.pod.metadata.name == "p-\(conditions.count - 1)" && newest?.tries == tries)
    }

    /// Runs the script with programs that stand for Headwind and curl, and its folders elsewhere.
    @Test(
        arguments: [
            (0, true, true, 0), (75, true, true, 76), (137, true, true, 76), (69, true, true, 69),
            (99, true, false, 99), (75, true, false, 76), (75, false, true, 75), (65, false, true, 65),
            (65, false, false, 65), (137, false, false, 137),
        ])
    func everyResultIsHandedOver(status: Int32, hasResult: Bool, hasStore: Bool, end: Int32) async throws {
        let bench = try Bench(shards: 2)
        let folder = bench.output
        for name in ["bin", "work", "results"] {
            try FileManager.default.createDirectory(
                atPath: folder.appending(name).string, withIntermediateDirectories: true)
        }
        let result = hasResult ? "mkdir \"$5\"; touch \"$5/result.json\"; " : ""
        for (name, text) in [("headwind", "\(result)exit \(status)"), ("curl", "touch \(folder)/work/uploaded")] {
            let program = folder.appending("bin").appending(name)
            try bench.write("#!/bin/sh\n\(text)\n", to: program)
            chmod(program.string, 0o755)
        }
        try bench.write("", to: folder.appending("work/fetched"))
        if hasStore { try bench.write("", to: folder.appending("results/put-2")) }
        let script = KubernetesScript.text.replacing("/headwind-results", with: "\(folder)/results")
            .replacing("/work", with: "\(folder)/work")
        let programs = EnginePrograms.here(setting: [
            "PATH": "\(folder)/bin:/usr/bin:/bin", "SHARDS": "1 2", "JOB_COMPLETION_INDEX": "1",
        ])
        let answer = try await programs.run("sh", ["-c", script, "shard", "2", folder.string, "--quick"], nil)
        #expect(answer.status == end, "\(answer)")
        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/work/\(name)") }
        #expect(has("uploaded") == (hasResult && hasStore) && has("exit") == (hasResult && !hasStore))
    }

    /// A job is deleted by its name, whether its start was noticed or not, and a pod whose result is copied goes on.
    @Test func anUncertainJobIsDeleted() async throws {
        let bench = try Bench(shards: 1, options: ["image=x"])
        let pods = """
            {"items": [{"metadata": {"name": "p", "annotations": {"batch.kubernetes.io/job-completion-index": "0"}},
              "status": {"phase": "Running"}}]}
            """
        let isDown = Mutex(true)
        let recorder = SlurmEngineTests.Recorder { _, words in
            if isDown.withLock({ $0 }) { return .init(status: 1, errors: "no server") }
            if words.first == "cp", let place = words.last {
                try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            }
            return .init(status: 0, output: words.contains("get") ? pods : "")
        }
        let engine = try KubernetesEngine(
            EngineContext(places: bench.places, plan: bench.plan, programs: recorder.programs))
        var submission = Submission(number: 1, shards: [1])
        let error = await #expect(throws: EngineError.self) { try await engine.submit(submission) }
        #expect(error == .unsure(.failed(command: "kubectl", attempted: "start the job", said: "no server")))
        #expect(await !engine.cancel([submission]))
        isDown.withLock { $0 = false }
        #expect(await engine.cancel([submission]))
        #expect(recorder.said.last?.contains("headwind-1-1") == true)
        submission.jobs = ["headwind-1-1"]
        _ = try await engine.states(of: [submission])
        #expect(await engine.cancel([submission]))
        #expect(recorder.said.contains { $0.contains("cp") } && !recorder.said.contains { $0.contains("touch") })
    }
}
