import ArgumentParser
import Links

extension LinkBackend: ExpressibleByArgument {}

/// The value of `--backend`: a backend, or `auto`.
struct BackendOption: ExpressibleByArgument {
    /// The first backend that works here and can provide the cell's link.
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
