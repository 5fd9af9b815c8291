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
        let attribution: Attribution =
            switch error {
            case let probe as ProbeError where probe.isOfOtherServer: .staleServer
            case _ where error.isLackOfResources: .resourcesMissing
            case is any LinkError: .linkDied
            case let sandbox as SandboxError: sandbox.attribution
            // In a sandbox, only a process of the sandbox can have ended it.
            case GuardError.lost where isInSandbox: .cellDied
            case is HostError: .hostDied
            case is LinkRefusal: .capabilityMissing
            case let harness as HarnessError: harness.attribution
            default: .harnessFailed
            }
        self.init(attribution, "\(error)")
    }
}

extension ProbeError {
    fileprivate var isOfOtherServer: Bool { if case .otherServer = outcome { true } else { false } }
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
