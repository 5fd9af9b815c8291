import FoundationEssentials
import LinkModel
import Links
import LinuxSupport
import PackFormat
import ProcessGuard
import Scenarios
import SystemPackage

/// How the client of an attempt is started.
struct ClientCommand: Sendable {
    let context: CellContext
    let folder: AttemptFolder
    /// The folder of the whole run, if it must be removed after the harness is killed.
    let scratch: FilePath?
    /// The addresses that the client gets.
    let addresses: Addresses
    /// The path at which a command writes its download.
    private let output: FilePath
    /// Header fields for a host that Headwind did not start, its token included.
    private let fields: [String]

    /// Makes the folder of the output.
    init(_ context: CellContext, in folder: AttemptFolder, scratch: FilePath?, addresses: Addresses) throws {
        (self.context, self.folder, self.scratch, self.addresses) = (context, folder, scratch, addresses)
        output = try folder.outputFile(context.cell.outputName)
        fields = try context.cell.headerFields()
        try folder.write(Array(fields.map { $0 + "\n" }.joined().utf8), to: folder.headers)
    }

    private var cell: Cell { context.cell }

    /// The addresses of an attempt's host and link.
    struct Addresses: Sendable {
        /// The URL of the proxy; empty if the link is not a proxy.
        var proxy: String
        /// The URL of the pack through the link; nil if there is no pack.
        var pack: String?
        /// The SHA-256 of that pack; nil if it is unknown.
        var digest: String?
        /// The URL or path of the manifest; empty if there is none.
        var manifest = ""
        var tagTable: String?
        var hasAuthority = false
        /// The size of the app without packs, in bytes.
        var appSize: Int64 = 0
    }

    /// The guarded command of the cell's workload.
    func command() throws -> GuardedCommand {
        var command: GuardedCommand
        switch cell.workload {
        case .requests(let steps):
            try folder.write(WorkloadText.json(steps, app: folder.app), to: folder.workload)
            command = GuardedCommand(
                context.programs.client.string, arguments: try builtInArguments(), environment: environment())
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
        // If the harness is killed, the guard removes the run's folder after the client has ended.
        command.scratch = scratch
        // A client in a sandbox is already in the sandbox's process namespace.
        command.wantsNamespace = scratch != nil
        return command
    }

    private func builtInArguments() throws -> [String] {
        // Limits that a scenario changed have no name: they are given as differences from the usual ones.
        let limits = Limits.named(cell.device.limits.name) ?? .standard(for: cell.content.delivery)
        var arguments = [
            "--manifest", addresses.manifest, "--store", folder.store.string,
            "--limits", limits.name, "--radio", cell.device.radio.rawValue, "--allow-cellular",
            "\(cell.device.isCellularAllowed)",
            "--patience", "\(cell.patience.seconds)", "--workload", folder.workload.string,
        ]
        if !addresses.proxy.isEmpty { arguments += ["--proxy", addresses.proxy] }
        if let capacity { arguments += ["--capacity", "\(capacity)"] }
        for setting in Limits.Setting.allCases where cell.device.limits[setting] != limits[setting] {
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

    /// The capacity that the client assumes for the device; nil if a file system of that size sets it.
    private var capacity: Int64? {
        let (own, storage) = (cell.device.capacity.bytes, cell.device.storage?.bytes)
        guard let storage, storage <= own else { return own }
        // A `fill` step takes storage in the client's accounts, so that needs a number.
        return folder.storage == nil || cell.workload.hasFill ? storage : nil
    }

    /// The variable that holds a header field, so that no command line shows it.
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

    /// A number without a fraction if it is whole: some programs accept no fraction.
    private static func decimal(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    /// The caller's environment with the addresses of this attempt's host, link and authority, mostly without its
    /// proxies.
    private func environment() -> [String: String] {
        var variables = Environment.all
        // Secrets are only recorded on request.
        variables["SSLKEYLOGFILE"] = context.keepsSecrets ? folder.keyLog.string : nil
        // In networks of its own that lead to this machine's, a program needs the caller's proxies.
        if case .network = cell.content, addresses.proxy.isEmpty {
            LocalServers.pass(&variables)
        } else {
            for name in variables.keys where Environment.isProxyVariable(name) { variables[name] = nil }
        }
        for placeholder in Placeholder.allCases where placeholder != .ca || addresses.hasAuthority {
            variables["HEADWIND_" + placeholder.rawValue.uppercased()] = value(placeholder)
        }
        if !cell.workload.isBuiltIn {
            variables["TMPDIR"] = folder.temporary.string
            variables["XDG_CACHE_HOME"] = folder.cache.string
        }
        if !addresses.proxy.isEmpty { lead(&variables) }
        if addresses.hasAuthority {
            for name in Placeholder.authorityVariables { variables[name] = folder.authority.string }
        }
        guard case .requests = cell.workload else { return variables }
        for (index, field) in fields.enumerated() { variables[Self.variable(ofField: index)] = field }
        return variables
    }

    /// Sets the proxy variables.
    private func lead(_ variables: inout [String: String]) {
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY"] { variables[name] = addresses.proxy }
        if case .network = cell.content {
            for name in ["all_proxy", "ALL_PROXY"] { variables[name] = addresses.proxy }
        }
        // Addresses on this machine already lead through the link's reverse listener; no other address bypasses the
        // proxy.
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = cell.content.isOurs ? "127.0.0.1,localhost" : "" }
    }
}

extension Cell {
    /// The authorities that the caller's programs trust for a host that Headwind did not start: curl(1)'s file from the
    /// environment.
    fileprivate var callersAuthority: String? {
        guard case .host = content else { return nil }
        return ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { Environment.value($0) }.first { !$0.isEmpty }
    }

    /// Header fields for every request: those of another host, or test credentials that must not follow a redirect.
    fileprivate func headerFields() throws -> [String] {
        guard case .host(let host) = content else { return leadsElsewhere ? Self.credentials : [] }
        var fields = host.headers.map { "\($0.name): \($0.value)" }
        if let variable = host.tokenVariable {
            guard let token = Environment.value(variable) else { throw HarnessError.variableMissing(variable) }
            fields.append("Authorization: Bearer \(token)")
        }
        return fields
    }

    /// Credentials that give no access, for a host that checks where they are sent.
    private static let credentials = [
        "Authorization: Bearer headwind-of-this-host", "Cookie: session=headwind-of-this-host",
    ]

    /// Whether the host redirects to another origin.
    private var leadsElsewhere: Bool {
        hostFaults.contains { fault in
            if case .redirect(_, _, .some) = fault.action { true } else { false }
        }
    }

    /// The file name of the command's download.
    var outputName: String { workload.command?.pack ?? "download" }
}
