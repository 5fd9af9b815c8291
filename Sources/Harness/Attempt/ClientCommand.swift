import FoundationEssentials
import LinkModel
import LinuxSupport
import PackFormat
import ProcessGuard
import Scenarios
import SystemPackage

/// How the client of an attempt is called.
struct ClientCommand: Sendable {
    let cell: Cell
    let folder: AttemptFolder
    let programs: Programs
    /// The folder of the whole run, where it is to be removed if the harness is killed.
    let scratch: FilePath?
    /// Where the client finds everything.
    let addresses: Addresses
    /// Whether the secrets of its TLS connections are written down.
    private let keepsSecrets: Bool
    /// Where a command writes what it downloads.
    private let output: FilePath
    /// Header fields for somebody else's host, its token among them.
    private let fields: [String]

    /// Makes the folder that the output lies in.
    init(
        cell: Cell, folder: AttemptFolder, programs: Programs, scratch: FilePath?, addresses: Addresses,
        keepsSecrets: Bool = false
    ) throws {
        self.keepsSecrets = keepsSecrets
        self.cell = cell
        self.folder = folder
        self.programs = programs
        self.scratch = scratch
        self.addresses = addresses
        output = try folder.outputFile(cell.outputName)
        fields = try cell.headerFields()
        try folder.write(Array(fields.map { $0 + "\n" }.joined().utf8), to: folder.headers)
    }

    /// The addresses that an attempt's host and link have.
    struct Addresses: Sendable {
        /// The proxy's, as a URL; empty where the link is none.
        var proxy: String
        /// The address of a pack through the link, by its path; nil where nothing leads there.
        var pack: String?
        /// The SHA-256 of that pack; nil where it is unknown.
        var digest: String?
        var manifest: String
        var tagTable: String?
        var hasAuthority: Bool
        /// Bytes of the app that are in no pack.
        var appSize: Int64 = 0
    }

    /// The guarded command of the cell's workload.
    func command() throws -> GuardedCommand {
        var command: GuardedCommand
        switch cell.workload {
        case .requests(let steps):
            try folder.write(WorkloadText(steps, folder: folder).json(), to: folder.workload)
            command = GuardedCommand(
                programs.client.string, arguments: try builtInArguments(), environment: environment())
            command.errors = .streamed
        case .command(let foreign):
            let arguments = foreign.arguments(value)
            command = GuardedCommand(
                arguments.first ?? "", arguments: Array(arguments.dropFirst()), environment: environment())
            command.errors = .streamed
            command.directory = foreign.directory ?? folder.output
        }
        command.output = .streamed
        command.deadline = cell.deadline
        // Where the harness is killed, the run's folder is removed when the client has ended.
        command.scratch = scratch
        // A client in a sandbox is in the sandbox's process namespace already.
        command.wantsNamespace = scratch != nil
        return command
    }

    private func builtInArguments() throws -> [String] {
        var arguments = [
            "--manifest", addresses.manifest, "--store", folder.store.string,
            "--limits", Limits.ios2015.name, "--radio", cell.device.radio.rawValue, "--allow-cellular",
            "\(cell.device.isCellularAllowed)",
            "--patience", "\(cell.patience.seconds)", "--workload", folder.workload.string,
        ]
        if !addresses.proxy.isEmpty { arguments += ["--proxy", addresses.proxy] }
        if let capacity { arguments += ["--capacity", "\(capacity)"] }
        for setting in Limits.Setting.allCases where cell.device.limits[setting] != Limits.ios2015[setting] {
            arguments += ["--limit", "\(setting.rawValue)=\(cell.device.limits[setting].map(String.init) ?? "none")"]
        }
        if addresses.appSize > 0 { arguments += ["--app-size", "\(addresses.appSize)"] }
        if let bundle = cell.workload.bundles.first { arguments += ["--bundle", bundle] }
        let isManaged = cell.content.delivery == .backgroundAssets
        if isManaged { arguments.append("--background-assets") }
        if let tagTable = addresses.tagTable, !isManaged { arguments += ["--tag-table", tagTable] }
        if let file = addresses.hasAuthority ? folder.authority.string : cell.callersAuthority {
            arguments += ["--ca", file]
        }
        for index in fields.indices { arguments += ["--header-env", Self.variable(ofField: index)] }
        return arguments
    }

    /// What the client takes for the device's room; nil where a file system of its size says it by itself.
    private var capacity: Int64? {
        let (own, storage) = (cell.device.capacity.bytes, cell.device.storage?.bytes)
        guard let storage, storage <= own else { return own }
        // What a step takes of the room is taken of a number.
        return folder.storage == nil || cell.workload.hasFill ? storage : nil
    }

    /// Holds a header field, so that no command line shows it.
    private static func variable(ofField index: Int) -> String { "HEADWIND_HEADER_\(index + 1)" }

    private func value(_ placeholder: Placeholder) -> String {
        switch placeholder {
        case .url: addresses.pack ?? addresses.manifest
        case .manifest: addresses.manifest
        case .digest: addresses.digest ?? ""
        case .output: output.string
        case .proxy: addresses.proxy
        case .ca: folder.authority.string
        case .patience: Self.decimal(cell.patience.seconds)
        case .headers: folder.headers.string
        }
    }

    /// A number without a fraction where it has none, which some programs do not take.
    private static func decimal(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    /// The variables by which curl, OpenSSL and Go, Python's requests, and Node.js learn of more authorities.
    static let authorityVariables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]

    /// The caller's environment without its proxies, and where this attempt's host, link and authority are.
    private func environment() -> [String: String] {
        var variables = Environment.all
        // Without being asked for, secrets are written nowhere.
        variables["SSLKEYLOGFILE"] = keepsSecrets ? folder.keyLog.string : nil
        // In networks of its own that lead to this machine's, a program's proxies are real.
        if case .network = cell.content, addresses.proxy.isEmpty {
            LocalServers.pass(&variables)
            return variables
        }
        for name in variables.keys where Environment.isProxyVariable(name) { variables[name] = nil }
        for placeholder in Placeholder.allCases where placeholder != .ca || addresses.hasAuthority {
            variables["HEADWIND_" + placeholder.rawValue.uppercased()] = value(placeholder)
        }
        if !cell.workload.isBuiltIn {
            variables["TMPDIR"] = folder.temporary.string
            variables["XDG_CACHE_HOME"] = folder.cache.string
        }
        if !addresses.proxy.isEmpty { lead(&variables) }
        if addresses.hasAuthority {
            for name in Self.authorityVariables { variables[name] = folder.authority.string }
        }
        guard case .requests = cell.workload else { return variables }
        for (index, field) in fields.enumerated() { variables[Self.variable(ofField: index)] = field }
        return variables
    }

    /// Leads programs to the proxy.
    private func lead(_ variables: inout [String: String]) {
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY"] { variables[name] = addresses.proxy }
        if case .network = cell.content {
            for name in ["all_proxy", "ALL_PROXY"] { variables[name] = addresses.proxy }
        }
        // Addresses on this machine lead through the link's reverse listener already; others have none.
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = cell.content.isOurs ? "127.0.0.1,localhost" : "" }
    }
}

extension Cell {
    /// Whom the caller's programs trust at a host that is not Headwind's: the file that curl(1) takes from the environment.
    fileprivate var callersAuthority: String? {
        guard case .host = content else { return nil }
        return ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { Environment.value($0) }.first { !$0.isEmpty }
    }

    /// Header fields for every request: those of another host, or those that may not go along with a redirect.
    fileprivate func headerFields() throws -> [String] {
        guard case .host(let host) = content else { return leadsElsewhere ? Self.credentials : [] }
        var fields = host.headers.map { "\($0.name): \($0.value)" }
        if let variable = host.tokenVariable {
            guard let token = Environment.value(variable) else { throw HarnessError.variableMissing(variable) }
            fields.append("Authorization: Bearer \(token)")
        }
        return fields
    }

    /// Credentials that open nothing, for a host that wants to see where they go.
    private static let credentials = [
        "Authorization: Bearer headwind-of-this-host", "Cookie: session=headwind-of-this-host",
    ]

    /// Whether the host redirects to another origin.
    private var leadsElsewhere: Bool {
        hostFaults.contains { fault in
            if case .redirect(_, _, .some) = fault.action { true } else { false }
        }
    }

    /// A name for what the command downloads.
    var outputName: String {
        guard case .command(let command) = workload, let pack = command.pack else { return "download" }
        return pack
    }
}
