import Results
import Scenarios

/// Whether a success can have come over the link, if it is not known beforehand what had to cross it.
///
/// That is so with another party's host, and with a command without a pack. For packs, ``contentFindings`` are more
/// exact.
extension TraceCheck {
    /// The findings that nothing crossed the link, or fewer bytes than a downloaded file has.
    var linkUseFindings: [Finding] {
        guard isUnknown, succeeded, !isSilenceExpected else { return [] }
        let crossed = trace.crossed.payload.downlink
        guard crossed > 0 else {
            return [Finding(.linkBypassed, "the client succeeded, but nothing crossed the link to it")]
        }
        return trace.fileSizes.filter { $0.value > crossed }.sorted { $0.key < $1.key }.map { name, size in
            Finding(.linkBypassed, "'\(name)' has \(size) B, and only \(crossed) B crossed the link")
        }
    }

    private var isUnknown: Bool {
        setup.content == nil || setup.cell.workload.command.map { $0.pack == nil } ?? false
    }

    private var succeeded: Bool {
        guard trace.exit?.timedOut == false else { return false }
        let outcomes = RequestReading(trace, setup).outcomes
        switch setup.cell.workload {
        case .requests: return outcomes.contains { $0.result == .available }
        case .command: return outcomes.allSatisfy { $0.result == .available }
        }
    }

    /// Whether a client may succeed without a byte: the link never connects, or an expectation is not success.
    private var isSilenceExpected: Bool {
        let expectsNone = setup.cell.expectations.requests.contains { expected in
            if case .available = expected.expectation { false } else { true }
        }
        let isChanged = setup.cell.linkFaults.contains { if case .profile = $0.effect { true } else { false } }
        let conditions = setup.cell.link.profile.allConditions
        return expectsNone || !isChanged && conditions.allSatisfy { $0.offline != nil || $0.isHeld }
    }
}
