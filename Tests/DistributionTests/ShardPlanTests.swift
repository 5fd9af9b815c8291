import Distribution
import Testing

@Suite struct ShardPlanTests {
    @Test func aCommandHasItsShardAndFolderBeforeItsScenarios() {
        let command = ShardCommand(
            program: "/usr/bin/headwind", directory: "/home", options: [.init("--only", "3g"), .init("--quick")],
            scenarios: ["a.yaml"])
        #expect(
            command.arguments(shard: "3/8", output: "o", durations: nil) == [
                "run", "--only", "3g", "--quick", "--shard", "3/8", "--progress", "json", "--output", "o", "a.yaml",
            ])
    }
}
