import LinkModel
import ProxyLink
import Scenarios
import Wording

/// The profile that a client of the control API asks for.
///
/// The API may be open to others than who may read this machine's files: it opens bundled profiles, and no other file.
enum ControlledProfile {
    /// Why there is no such profile: sentences that go to the client, none of which quotes a file.
    struct Unavailable: Error, CustomStringConvertible { let description: String }

    /// `started`: the profile that the proxy was started with, which goes by its name too.
    static func profile(_ source: ProfileSource, started: Profile) throws -> Profile {
        switch source {
        case .named(started.name): return started
        case .named(let name):
            guard !ProfileLibrary.isPath(name) else {
                throw Unavailable(
                    description: "'profile' is the name of a profile or a whole profile as an object, and never a file")
            }
            return try bundled(name)
        case .sent(let request):
            return try withoutContents("a bundled profile that it extends") {
                try ProfileCommand.library().profile(sentIn: request)
            }
        }
    }

    private static func bundled(_ name: String) throws -> Profile {
        let library = try ProfileCommand.library()
        guard library.names.contains(name) else {
            let hint = NearestName.hint(for: name, in: library.names) ?? "'headwind profile list' shows all"
            throw Unavailable(description: "there is no profile '\(name.prefix(64))'; \(hint)")
        }
        return try withoutContents("the bundled profile '\(name)'") { try library.profile(named: name) }
    }

    /// Runs `body`; of problems in files it tells the client only that there are some.
    private static func withoutContents(_ what: String, _ body: () throws -> Profile) throws -> Profile {
        do {
            return try body()
        } catch let error as InvalidFiles {
            let own = error.diagnostics.filter { $0.file == "body" }
            guard own.isEmpty else { throw InvalidFiles(own) }
            throw Unavailable(description: "\(what) has problems; 'headwind profile check' on its file tells them")
        }
    }
}
