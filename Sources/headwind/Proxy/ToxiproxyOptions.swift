import ArgumentParser
import LinkModel
import LinuxSupport
import ProxyAPI
import ProxyLink
import Scenarios
import SystemPackage

/// The options of `headwind proxy` about Toxiproxy's API.
struct ToxiproxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve Toxiproxy's HTTP API, version 2, at this address, or at a port of 127.0.0.1. Toxiproxy's own "
                + "port is 8474. (default: no such API)",
            valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var toxiproxy: Endpoint?

    @Option(
        help: "With --toxiproxy: create the proxies of this configuration of Toxiproxy's server.",
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The maximum number of proxies that clients of --toxiproxy can create: 1 to 10000.", valueName: "number"))
    var mostProxies = NamedProxyLimits().proxies

    func validate() throws {
        guard toxiproxy != nil || config == nil else {
            throw ValidationError("--config needs --toxiproxy, such as --toxiproxy 127.0.0.1:8474.")
        }
        guard (1...10_000).contains(mostProxies) else {
            throw ValidationError("--most-proxies is a number from 1 to 10000.")
        }
    }

    /// Serves the API, creates the proxies of the file, and returns the address; nil if no API is requested.
    func serve(on link: ProxyLink, allowed: [AddressRange], reader: LinkRequestReader) async throws -> Endpoint? {
        guard let toxiproxy else { return nil }
        let requests = try proxies()
        var limits = NamedProxyLimits()
        limits.proxies = mostProxies
        try await link.named.limit(to: limits)
        let api = ToxiproxyAPI(proxies: link.named, allowed: allowed) { body in
            guard case .profile(let profile) = try reader.read(body) else { throw ProxyLinkError.closed }
            return profile
        }
        // Serve the API before any proxy exists, so that no proxy can lead to it.
        let address = try await link.serve(api.service, at: toxiproxy)
        do {
            _ = try await link.named.populate(requests)
        } catch let error as NamedProxyError {
            throw CommandFailure(.infrastructure, "Could not create the proxies of '\(config ?? "")': \(error)")
        }
        return address
    }

    private func proxies() throws -> [NamedProxyRequest] {
        guard let config else { return [] }
        func failure(_ reason: String) -> CommandFailure {
            CommandFailure(.invalidInput, "The list of proxies '\(config)' \(reason).")
        }
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(FilePath(config), most: ToxiproxyFile.mostBytes)
        } catch {
            throw failure("\(error)")
        }
        do throws(ToxiproxyFile.Unreadable) {
            return try ToxiproxyFile.read(bytes)
        } catch {
            throw failure("cannot be read: \(error)")
        }
    }
}
