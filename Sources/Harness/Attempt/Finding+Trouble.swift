import Glibc
import LinkModel
import LinkProbe
import Links
import LinuxSupport
import PackFormat
import PackHost
import ProcessGuard
import Results
import SystemPackage
import Testbed

extension Finding {
    /// The finding on an error of an attempt, with the cause that the error stands for.
    init(trouble error: any Error, isInSandbox: Bool) {
        if let probe = error as? ProbeError, case .otherServer = probe.outcome {
            self.init(.staleServer, "\(error)")
        } else if error.isLackOfResources {
            self.init(.resourcesMissing, "\(error)")
        } else if let link = error as? any LinkError {
            self.init(.linkDied, "\(link)")
        } else if let sandbox = error as? SandboxError {
            self.init(sandbox.attribution, "\(sandbox)")
        } else if isInSandbox, let guarding = error as? GuardError, case .lost = guarding {
            // In a sandbox, only a process of the sandbox can have ended it.
            self.init(.cellDied, "\(guarding)")
        } else if let host = error as? HostError {
            self.init(.hostDied, "\(host)")
        } else if let refusal = error as? LinkRefusal {
            self.init(.capabilityMissing, "\(refusal)")
        } else if let harness = error as? HarnessError {
            self.init(harness.attribution, "\(harness)")
        } else {
            self.init(.harnessFailed, "\(error)")
        }
    }
}

extension Error {
    /// Whether this process or this machine had no more descriptors, threads or memory.
    fileprivate var isLackOfResources: Bool {
        let error: Errno? =
            switch self as any Error {
            case is ResourceShortage: .resourceTemporarilyUnavailable
            case GuardError.noResources(_, let error), GuardError.noGuard(_, let error),
                GuardError.notBegun(_, let error):
                error
            case SandboxError.noResources(_, let error), SandboxError.failed(_, let error),
                SandboxError.notStarted(_, _, let error):
                error
            default: systemErrno
            }
        let lacks: [Errno] = [
            .tooManyOpenFiles, .tooManyOpenFilesInSystem, .resourceTemporarilyUnavailable, .noMemory,
            Errno(rawValue: ENOBUFS),
        ]
        return error.map(lacks.contains) ?? false
    }
}
