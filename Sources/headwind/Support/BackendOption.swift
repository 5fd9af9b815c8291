import ArgumentParser
import Links

extension LinkBackend: ExpressibleByArgument {}

/// What `--backend` says of `run` and `check`: a backend, or `auto`.
struct BackendOption: ExpressibleByArgument {
    /// The first that can be had here, and can do what the cell asks for.
    static let auto = BackendOption(backend: nil)

    /// Nil: ``auto``.
    let backend: LinkBackend?

    private init(backend: LinkBackend?) { self.backend = backend }

    init?(argument: String) {
        guard argument != Self.auto.defaultValueDescription else {
            self = .auto
            return
        }
        guard let backend = LinkBackend(rawValue: argument) else { return nil }
        self.backend = backend
    }

    static var allValueStrings: [String] { [auto.defaultValueDescription] + LinkBackend.allCases.map(\.rawValue) }

    var defaultValueDescription: String { backend?.rawValue ?? "auto" }
}
