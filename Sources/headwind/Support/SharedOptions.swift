import ArgumentParser
import Harness
import LinkModel
import Links
import ResourceLoading
import Scenarios
import SystemPackage

/// How results are printed, and how `headwind run` shows its progress.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// The option that all commands with a result share.
struct OutputOptions: ParsableArguments {
    @Option(help: "The format on stdout: text or json.")
    var format: OutputFormat = .text

    /// Prints a value as JSON, or its lines.
    func print(_ value: some Encodable, lines: @autoclosure () throws -> [String]) throws {
        switch format {
        case .json: try Console.json(value)
        case .text: Console.out(lines: try lines())
        }
    }
}

/// Options of one kind: with the same name of their value in help, the same completion, and the same form.
extension Option {
    /// A folder.
    init(name: NameSpecification = .long, folder help: String) where Value == String? {
        self.init(name: name, help: ArgumentHelp(help, valueName: "folder"), completion: .directory)
    }

    /// A file with one of these extensions (default: any).
    init(file help: String, _ extensions: [String] = []) where Value == String? {
        self.init(help: ArgumentHelp(help, valueName: "file"), completion: .file(extensions: extensions))
    }

    /// A time with a default, which its help names.
    init(wrappedValue: Duration, name: NameSpecification = .long, time help: String) where Value == Duration {
        self.init(wrappedValue: wrappedValue, name: name, help: ArgumentHelp(help, valueName: "time")) {
            try Duration(parsing: $0)
        }
    }

    /// A time.
    init(time help: String) where Value == Duration? {
        self.init(help: ArgumentHelp(help, valueName: "time")) { try Duration(parsing: $0) }
    }
}

extension ValidationError {
    /// Throws an error with this text if a value is outside of its range; without a value there is nothing wrong.
    static func check<Value: Comparable>(_ value: Value?, in range: ClosedRange<Value>, _ text: String) throws {
        if let value, !range.contains(value) { throw ValidationError(text) }
    }
}

extension LinkBackend: ExpressibleByArgument {}

/// The value of an option that also takes `auto`: Headwind chooses.
struct OrAuto<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument {
    /// The word `auto`.
    static var auto: Self { Self(value: nil) }

    /// Nil: ``auto``.
    let value: Value?

    private init(value: Value?) { self.value = value }

    init?(argument: String) {
        let value = Value(argument: argument)
        guard value != nil || argument == "auto" else { return nil }
        self.init(value: value)
    }

    // Help lists no values of a type that names none.
    static var allValueStrings: [String] { Value.allValueStrings.isEmpty ? [] : ["auto"] + Value.allValueStrings }

    var defaultValueDescription: String { value?.defaultValueDescription ?? "auto" }
}

/// `--client`: a program in the place of headwind-client.
struct ClientOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Test this program instead of headwind-client. It must accept the same command line and workload, and "
                + "send the same events (docs/reference/client.md).", valueName: "program"),
        completion: .file())
    var client: String?

    /// Headwind's own programs; a client that the user names replaces the built-in one.
    ///
    /// Throws ``CommandFailure`` if the client cannot be run, or if no scenario would use it.
    func programs(for scenarios: [Scenario]) throws -> Programs {
        var programs = Programs(beside: BundledFiles.executable)
        guard let client else { return programs }
        do { try programs.use(client: client) } catch {
            throw CommandFailure.usage("\(error)")
        }
        guard scenarios.flatMap(\.cells).contains(where: \.workload.isBuiltIn) else {
            throw CommandFailure.usage(
                "--client replaces headwind-client, but each of these scenarios runs its own command. Leave it out, or "
                    + "choose scenarios with requests.")
        }
        return programs
    }
}

/// What commands that fetch from a host trust, and send to it.
struct TransferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Additional certificate authorities to trust, in PEM.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("A header field for the host. May be repeated.", valueName: "name: value"))
    var header: [String] = []

    /// Throws `ValidationError` if a field is not a single line with a colon: a line break would begin another field.
    func check() throws {
        for field in header where !field.contains(":") || field.contains(where: \.isNewline) {
            throw ValidationError("--header is one line of the form 'Name: value'.")
        }
    }

    /// Applies the options to requests.
    func apply(to transfers: inout TransferConfiguration) {
        transfers.authorities = ca.map { FilePath($0) }
        transfers.headers = header
    }
}

/// The option that gives addresses to the names of foreign hosts.
struct ResolveOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"), parsing: .singleValue,
        help: ArgumentHelp(
            "Use this address for a host name, such as staging.example:192.0.2.7. May be repeated. "
                + "(default: this machine's resolver)",
            valueName: "name:address"), transform: { try ResolvedName(parsing: $0) })
    var names: [ResolvedName] = []

    func validate() throws {
        for name in names where names.contains(where: { $0.name == name.name && $0.address != name.address }) {
            throw ValidationError("--resolve gives '\(name.name)' two addresses: leave one of them out.")
        }
    }

    /// Throws ``CommandFailure`` if no cell would use the names.
    func check(_ cells: [Cell]) throws {
        guard !names.isEmpty, cells.allSatisfy(\.content.isOurs) else { return }
        throw CommandFailure.usage(
            "--resolve needs a scenario with a 'host' or a 'network', and none of these has one. Leave it out.")
    }
}
