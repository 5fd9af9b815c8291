import Evidence
import LinkModel
import Links
import PackFormat
import Results
import Testbed

extension CellContext {
    /// The networks in which an attempt of this cell runs.
    var sandboxConfiguration: SandboxConfiguration {
        var configuration = SandboxConfiguration()
        configuration.link = backend.provider.sandbox ?? .packets
        configuration.storageSize = cell.device.storage?.bytes
        configuration.mtu = cell.link.profile.conditions.mtu
        configuration.names = [PreparedContent.hostName] + (content?.authorities.map(\.host) ?? [])
        // The host has IPv4 alone, and clients would try the other first.
        configuration.hasIPv6Names = false
        if case .network = cell.content { configuration.isOpen = true }
        return configuration
    }
}

extension SandboxError {
    /// Where the error stands in the table.
    var attribution: Attribution {
        switch self {
        case .refused, .noProgram: .capabilityMissing
        case .configuration, .misunderstood: .harnessFailed
        case .notStarted: .clientNotStarted
        case .noResources, .failed, .late, .silent, .died: .cellDied
        }
    }
}
