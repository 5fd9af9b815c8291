import ArgumentParser
import HostTLS
import PackFormat
import PackHost
import ProxyLink

/// The options of `headwind host` about TLS.
struct HostSecurityOptions: ParsableArguments {
    @Flag(help: "Serve HTTPS, with a certificate authority of this run.")
    var tls = false

    @Option(
        name: .customLong("ca-out"), help: "Write the authority's certificate to this file, as PEM.",
        completion: .file())
    var caOut: String?

    @Option(help: "A host name or IP address in the certificate, besides the address and localhost. May be repeated.")
    var name: [String] = []

    @Flag(name: .customLong("http2"), help: "Offer HTTP/2 to clients that negotiate it.")
    var offersHTTP2 = false

    @Option(help: "A TLS fault.")
    var tlsFault: TLSFault?

    func validate() throws {
        guard tls else {
            if caOut != nil || !name.isEmpty || tlsFault != nil || offersHTTP2 {
                throw ValidationError("--ca-out, --name, --http2 and --tls-fault need --tls.")
            }
            return
        }
        if caOut == nil { throw ValidationError("--tls needs --ca-out FILE: clients must trust this certificate.") }
    }

    /// The TLS layer between sockets and HTTP, and the authority's certificate as PEM; nil without `--tls`.
    func security(for listen: Endpoint) throws -> (layer: HostConfiguration.Security, certificate: String)? {
        guard tls else { return nil }
        let authority = RunAuthority()
        let makeHandlers = try authority.handlerFactory(
            names: [listen.host, "localhost"] + name, fault: tlsFault, offersHTTP2: offersHTTP2)
        let layer = HostConfiguration.Security(offersHTTP2: offersHTTP2, makeHandlers: makeHandlers)
        return (layer, authority.certificatePEM)
    }
}

extension TLSFault: ExpressibleByArgument {}
