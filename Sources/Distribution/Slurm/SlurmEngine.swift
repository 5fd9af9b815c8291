package import SystemPackage

/// Runs shards as job arrays of Slurm, over a folder that its nodes share.
package struct SlurmEngine: Engine {
    let context: EngineContext

    package init(_ context: EngineContext) throws { self.context = context }

    package func submit(_ submission: Submission) async throws -> [String] { [] }
    package func states(of submissions: [Submission]) async throws -> [Int: ShardState] { [:] }
    package func cancel(_ submissions: [Submission]) async {}
    package func collect(_ shard: Int, of submission: Submission) async throws -> FilePath? { nil }
    package func draft(of submission: Submission) async throws -> String { "" }
}
