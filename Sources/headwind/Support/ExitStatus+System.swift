import Harness
import PackFormat
import PackHost
import ProxyLink
import SystemPackage

extension ExitStatus {
    /// What it means that a place which the user named cannot be written to.
    ///
    /// Only where there is no room may there be some at the next try.
    init(cannotWrite error: Errno) {
        self =
            switch error {
            case _ where error.isNoRoom: .infrastructure
            case .permissionDenied, .notPermitted, .readOnlyFileSystem: .noPermission
            default: .usage
            }
    }

    /// What it means that nothing can listen where the user said.
    ///
    /// A port that is taken may be free at the next try.
    init(cannotListen error: Errno?) {
        self =
            switch error {
            case .permissionDenied?, .notPermitted?: .noPermission
            case .addressNotAvailable?, .addressFamilyNotSupported?, .invalidArgument?: .usage
            default: .infrastructure
            }
    }
}

extension CommandFailure {
    /// The error, and whose doing it is.
    init(_ error: HarnessError) {
        let status: ExitStatus =
            switch error {
            case .noResultsFolder(_, _, let errno?): ExitStatus(cannotWrite: errno)
            case .foreignFiles: .usage
            default: .infrastructure
            }
        self.init(status: status, description: error.description)
    }

    /// The error, and whose doing it is.
    init(_ error: ProxyLinkError) {
        var status = ExitStatus.infrastructure
        if case .listen(_, _, let code) = error {
            status = ExitStatus(cannotListen: code.map { Errno(rawValue: $0) })
        }
        self.init(status: status, description: error.description)
    }

    /// The error, and whose doing it is.
    init(_ error: HostError) {
        let status: ExitStatus =
            switch error {
            case .cannotListen(_, let errno): ExitStatus(cannotListen: errno)
            case .duplicatePath, .malformedPath: .invalidInput
            case .impossibleFault: .usage
            }
        self.init(status: status, description: error.description)
    }
}
