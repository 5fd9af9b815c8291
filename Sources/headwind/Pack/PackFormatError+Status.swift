import PackFormat

extension PackFormatError {
    /// Whether other files would help, and not another machine.
    var isAboutInput: Bool {
        switch self {
        case .notReadable, .fileNotRead, .badArchive, .badSite: true
        case .fileNotWritten, .noSpace: false
        }
    }
}

extension CommandFailure {
    /// The error, and whether it is the input's fault or this machine's.
    init(_ error: PackFormatError) {
        let status: ExitStatus =
            switch error {
            case .fileNotWritten: .usage
            case .noSpace: .infrastructure
            case .notReadable, .fileNotRead, .badArchive, .badSite: .invalidInput
            }
        self.init(status: status, description: error.description)
    }
}
