/// The engines that can run shards on other machines.
package enum EngineName: String, CaseIterable, Codable, Sendable {
    case slurm
    case ssh
    case kubernetes

    /// The engine; throws ``EngineError`` for invalid options.
    package func engine(_ context: EngineContext) throws -> any Engine {
        switch self {
        case .slurm: try SlurmEngine(context)
        case .ssh: try SSHEngine(context)
        case .kubernetes: try KubernetesEngine(context)
        }
    }
}
