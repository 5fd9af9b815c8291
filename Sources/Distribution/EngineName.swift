/// The engines that a run can be divided among machines by.
package enum EngineName: String, CaseIterable, Codable, Sendable {
    case slurm
    case ssh
    case kubernetes

    /// The engine; throws ``EngineError`` for options that it does not have, and where one of its programs is missing.
    package func engine(_ context: EngineContext) throws -> any Engine {
        switch self {
        case .slurm: try SlurmEngine(context)
        case .ssh: try SSHEngine(context)
        case .kubernetes: try KubernetesEngine(context)
        }
    }
}
