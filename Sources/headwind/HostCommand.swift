import ArgumentParser
import Documents
import FoundationEssentials
import Glibc
import LinkModel
import Links
import LinuxSupport
import PackFormat
import PackHost
import ProxyLink
import SystemPackage

/// `headwind host`: serves packs, or checks other servers of packs.
struct HostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Serve packs with faults that you choose, or check your own server.",
        discussion: """
            'headwind host DIR' serves only packs that 'headwind pack build' wrote or Xcode exported, until Ctrl-C. \
            You can omit 'serve'. Its options: headwind host serve --help. docs/reference/host.md lists the faults.

              headwind host packs
              headwind host packs --fault 'pack=level-2 try=1 cut@40%'
              headwind host packs --tls --ca-out ca.pem --ready-file ready.json
              headwind host check https://packs.example.com/
            """,
        subcommands: [HostServeCommand.self, HostCheckCommand.self],
        defaultSubcommand: HostServeCommand.self
    )
}

/// `headwind host DIR`: runs a pack host until Ctrl-C.
struct HostServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve packs over HTTP or HTTPS, with faults that you choose.",
        discussion: """
            Serves only packs that 'headwind pack build' wrote or Xcode exported, until Ctrl-C. It prints the URL on \
            stdout, and a line for each response on stderr. docs/reference/host.md lists the faults.

              headwind host packs
              headwind host --packs ~/downloads --listen 127.0.0.1:8080
              headwind host packs --fault 'pack=level-2 try=1 cut@40%' \\
                --fault 'pack=manifest stall@0 for=5s'
              headwind host packs --tls --ca-out ca.pem --ready-file ready.json
              headwind host packs --tls --ca-out ca.pem --tls-fault expired
            """
    )

    @Argument(help: "The folder that holds the packs.", completion: .directory)
    var folder: String

    @Flag(help: "Serve every file of the folder as a pack, without a tag table.")
    var packs = false

    @Flag(help: "Keep the addresses in the manifest, even if they name other hosts.")
    var keepAddresses = false

    @Option(
        help: ArgumentHelp(
            "The address to listen on, or only a port of 127.0.0.1. (default: any free port)",
            valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var listen = Endpoint.anyLoopbackPort

    @Option(
        help: ArgumentHelp("A fault. May be repeated.", valueName: "[pack=NAME] [try=N] ACTION"),
        transform: { try HostFault(parsing: $0) })
    var fault: [HostFault] = []

    @Option(help: "Concurrent connections, 1 to 1024; others wait.")
    var connections = HostLimits().connections

    @Option(
        help: "Write the URL, the port and the CA file to this file as JSON, once the host is ready.",
        completion: .file())
    var readyFile: String?

    @OptionGroup(title: "TLS") var security: HostSecurityOptions

    func validate() throws {
        let most = HostLimits.mostConnections
        try ValidationError.check(connections, in: 1...most, "--connections is a number from 1 to \(most).")
    }

    func run() async throws {
        try ResourceNeeds.host(connections: connections).check(
            for: "A host with \(connections) connections", hint: "give fewer --connections")
        let archives = FilePath(FileManager.default.temporaryDirectory.path(percentEncoded: false))
            .appending("headwind-host-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: archives.string) }
        let ready = try configuration(archives)
        try await Interruption.endsWell {
            try await serve(ready.configuration, certificate: ready.certificate)
        }
    }

    /// The configuration, and the certificate of its authority as PEM; no certificate without TLS.
    private func configuration(
        _ archives: FilePath
    ) throws -> (configuration: HostConfiguration, certificate: String?) {
        let site = try ServedFolder(
            path: FilePath(folder), isOfFiles: packs, keepsAddresses: keepAddresses, archives: archives
        ).site()
        for warning in ServedFolder.warnings(site, in: folder) { Console.note("warning: \(warning)") }
        try site.check(fault)
        var configuration = HostConfiguration(site: site)
        configuration.listener = .address(listen.host, port: listen.port)
        configuration.faults = fault
        configuration.limits.connections = connections
        let secured = try security.security(for: listen)
        configuration.security = secured?.layer
        return (configuration, secured?.certificate)
    }

    private func serve(_ configuration: HostConfiguration, certificate: String?) async throws {
        let readyFile = readyFile.map { FilePath($0) }
        try await withPackHost(configuration) { host in
            // Not before it listens: both files may be those of a host that already serves here.
            if let certificate, let file = security.caOut { try FileReplacement.write(certificate, to: FilePath(file)) }
            let address = JSONTree.object([
                "url": .text(host.url), "port": .whole(host.port), "ca": security.caOut.map(JSONTree.text),
            ])
            if let readyFile { try FileReplacement.write(try address.jsonText(), to: readyFile) }
            defer { if let readyFile { unlink(readyFile.string) } }
            Console.out("\(host.url)")
            var log = HostLog()
            for await event in host.events {
                for line in log.lines(for: event) { Console.note("\(line)") }
            }
        }
    }
}

/// The events of a host as lines of text: one for each response, and one for each unusual event.
struct HostLog {
    /// The requests under way, by connection, with the nanoseconds at which they began.
    private var underway: [Int: (request: HostRequest, start: Int64)] = [:]

    /// The lines for an event.
    mutating func lines(for event: HostEvent) -> [String] {
        switch event.kind {
        case .opened, .head: return []
        case .request(let request):
            underway[event.connection] = (request, event.nanoseconds)
            return []
        case .fault(let line): return [line]
        case .finished(let transfer):
            guard let (request, start) = underway.removeValue(forKey: event.connection) else { return [] }
            let time = Duration.nanoseconds((event.nanoseconds - start) / 100_000 * 100_000)
            return ["\(Self.text(request)) \(Self.text(transfer)) in \(time.text)"]
        case .fileFault(let reason): return ["file: \(reason)"]
        case .refused(let status, let reason): return ["refused with \(status): \(reason)"]
        case .listenerFailed(let reason): return ["the host accepts no more connections: \(reason)"]
        case .closed(let end):
            underway.removeValue(forKey: event.connection)
            return Self.line(for: end.cause).map { ["connection \(event.connection) \($0)"] } ?? []
        }
    }

    private static func text(_ request: HostRequest) -> String {
        let number = request.number.map { " try=\($0)" } ?? ""
        return "\(request.method) \(request.path)\(number)"
    }

    private static func text(_ transfer: HostTransfer) -> String {
        let status = transfer.status.map { "\($0)" } ?? "no head"
        let from = transfer.from > 0 ? " from \(transfer.from)" : ""
        let bytes = "\(status) \(transfer.handed) of \(transfer.planned) B\(from)"
        return switch transfer.cause {
        case .complete: bytes
        case .cut(let reset): "\(bytes), cut by \(reset ? "a reset" : "a FIN")"
        case .streamReset: "\(bytes), cut by RST_STREAM"
        case .goAway: "\(bytes), cut by GOAWAY"
        case .clientClosed: "\(bytes), the client left"
        case .writeStall: "\(bytes), the client stopped reading"
        case .fileFault(let reason): "\(bytes), \(reason)"
        case .hostClosed: "\(bytes), the host was closed"
        }
    }

    /// The line for the end of a connection; nil for ordinary ends.
    private static func line(for cause: HostConnectionEnd.Cause) -> String? {
        switch cause {
        case .client, .host, .idle, .writeStall: nil
        case .head: "closed: the request head was not complete in time"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
