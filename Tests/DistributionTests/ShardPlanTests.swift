import Distribution
import Testing

@Suite struct ShardPlanTests {
    @Test func aCommandHasItsShardAndFolderBeforeItsScenarios() {
        let command = ShardCommand(
            program: "/usr/bin/headwind", directory: "/home", options: [.init("--only", "3g"), .init("--quick")],
            scenarios: ["a.yaml"])
        #expect(
            command.arguments(shard: "3/8", output: "o", durations: nil) == [
                "run", "--shard", "3/8", "--output", "o", "--progress", "json", "--no-history", "--only", "3g",
                "--quick", "--",
                "a.yaml",
            ])
    }
}
