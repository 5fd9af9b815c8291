import KernelLink
import LinkProbe
import PackHost
import PacketLink
import ProcessGuard
import ProxyLink
import Results
import Testbed

extension Finding {
    /// The place of an attempt's trouble in the table of attributions.
    init(trouble error: any Error, isInCell: Bool) {
        if let probe = error as? ProbeError, case .otherServer = probe.outcome {
            self.init(.staleServer, "\(error)")
        } else if let link = error as? ProxyLinkError {
            self.init(.linkDied, "\(link)")
        } else if let link = error as? KernelLinkError {
            self.init(.linkDied, "\(link)")
        } else if let link = error as? PacketLinkError {
            self.init(.linkDied, "\(link)")
        } else if let cell = error as? CellError {
            self.init(cell.attribution, "\(cell)")
        } else if isInCell, let guarding = error as? GuardError, case .lost = guarding {
            // In there only what runs in there can have ended it.
            self.init(.cellDied, "\(guarding)")
        } else if let host = error as? HostError {
            self.init(.hostDied, "\(host)")
        } else if let harness = error as? HarnessError {
            self.init(harness.attribution, "\(harness)")
        } else {
            self.init(.harnessFailed, "\(error)")
        }
    }
}
