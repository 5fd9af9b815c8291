import ArgumentParser
import FoundationEssentials
import HostTLS
import Links
import LinuxSupport
import PackFormat
import PackHost
import ProxyLink
import SystemPackage

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
        guard (1...HostLimits.mostConnections).contains(connections) else {
            throw ValidationError("--connections is a number from 1 to \(HostLimits.mostConnections).")
        }
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
        let readyFile = readyFile.map { ReadyFile(path: FilePath($0)) }
        try await withPackHost(configuration) { host in
            // Not before it listens: both files may be those of a host that already serves here.
            try security.write(certificate: certificate)
            try readyFile?.write(url: host.url, port: host.port, authority: security.caOut)
            defer { readyFile?.remove() }
            Console.out("\(host.url)")
            var log = HostLog()
            for await event in host.events {
                for line in log.lines(for: event) { Console.note("\(line)") }
            }
        }
    }
}
