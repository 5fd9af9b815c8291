import Glibc
package import NIOCore
import NIOSSL
package import PackFormat

/// A certificate authority that is made for one run and ends with it.
///
/// Its key never leaves the process's memory. Its certificate is valid from an hour ago, because clocks differ, until 7
/// days from now.
package struct RunAuthority: Sendable {
    /// The authority's certificate as PEM (RFC 7468), for clients to trust.
    package var certificatePEM: String { identity.certificatePEM }

    private let identity: Identity
    private let now: Int64

    /// Creates an authority; `now` is in seconds since 1970-01-01, by default that of CLOCK_REALTIME.
    package init(now: Int64? = nil) {
        self.now = now ?? Int64(time(nil))
        identity = Identity(
            commonName: "Headwind run authority \(String(UInt32.random(in: 0...(.max)), radix: 16))",
            validity: Self.validity(from: self.now), use: .authority)
    }

    /// A certificate for these host names and IP addresses, and its own key.
    func leaf(for names: [String], validity: ClosedRange<Int64>) -> Identity {
        let name = names.first { !$0.isEmpty } ?? "nobody"
        return Identity(commonName: name, validity: validity, use: .server(names), issuer: identity)
    }

    /// The validity of a leaf, in seconds since 1970-01-01: that of its authority, or with a fault a day in the past or
    /// future.
    func validity(with fault: TLSFault?) -> ClosedRange<Int64> {
        switch fault {
        case .expired: now - 2 * Self.day...now - Self.day
        case .notYetValid: now + Self.day...now + 2 * Self.day
        case .wrongName, .unknownAuthority, .cutHandshake, nil: Self.validity(from: now)
        }
    }

    private static let day: Int64 = 86_400

    private static func validity(from now: Int64) -> ClosedRange<Int64> { now - 3600...now + 7 * day }
}

extension RunAuthority {
    /// Makes the handlers of one connection, the one nearest to the socket first.
    package typealias HandlerFactory = @Sendable () throws -> [any ChannelHandler]

    /// Returns a factory of TLS handlers for a host with these names and IP addresses, which breaks TLS if `fault` is
    /// set.
    ///
    /// It speaks TLS 1.2 and 1.3. ALPN offers `http/1.1`, and `h2` before it if `offersHTTP2` is true (default: false).
    /// `keyLog` receives the secrets of each connection, as lines of draft-ietf-tls-keylogfile; nil (the default)
    /// writes none. Throws ``TLSError`` if there is no name, or if TLS cannot be set up.
    package func handlerFactory(
        names: [String], fault: TLSFault? = nil, offersHTTP2: Bool = false,
        keyLog: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(TLSError) -> HandlerFactory {
        guard !names.isEmpty else { throw TLSError(reason: "a certificate needs at least one name or IP address") }
        let context = try serverContext(names: names, fault: fault, offersHTTP2, keyLog)
        return {
            let tls = NIOSSLServerHandler(context: context)
            return fault == .cutHandshake ? [HandshakeCut(), tls] : [tls]
        }
    }

    private func serverContext(
        names: [String], fault: TLSFault?, _ offersHTTP2: Bool, _ keyLog: (@Sendable ([UInt8]) -> Void)?
    ) throws(TLSError) -> NIOSSLContext {
        let names = fault == .wrongName ? ["wrong.headwind.invalid"] : names
        let signer = fault == .unknownAuthority ? RunAuthority() : self
        let leaf = signer.leaf(for: names, validity: validity(with: fault))
        do {
            let certificate = try NIOSSLCertificate(bytes: Array(leaf.certificatePEM.utf8), format: .pem)
            let key = try NIOSSLPrivateKey(bytes: Array(leaf.keyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = (offersHTTP2 ? ["h2"] : []) + ["http/1.1"]
            configuration.shutdownTimeout = .seconds(2)
            if let keyLog { configuration.keyLogCallback = { keyLog(Array($0.readableBytesView)) } }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSError(reason: "\(error)")
        }
    }
}

/// Why TLS could not be set up.
package struct TLSError: Error, CustomStringConvertible {
    let reason: String

    package var description: String { "Could not set up TLS for the host: \(reason)." }
}

/// Closes a connection instead of sending the first bytes of TLS.
final class HandshakeCut: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.ioOnClosedChannel)
        context.close(promise: nil)
    }
}
