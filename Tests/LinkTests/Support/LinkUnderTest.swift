import LinkModel
import SystemPackage
import Testbed

/// A link that is up, over any backend, with the operations that all backends share.
struct LinkUnderTest: Sendable {
    enum Place: Sendable {
        case sandbox(Sandbox)
        /// The port of the proxy.
        case proxy(UInt16)
        /// There is nothing in between.
        case loopback
    }

    /// The name of the host.
    static let name = "packs.headwind.internal"

    let place: Place
    let link: any ConditionedLink
    let listener: PlainSocket
    let address: String
    let port: UInt16

    /// Connects as a client: by address, or by name if the backend holds lookups.
    func connect(named: Bool = false, patience: Duration = .seconds(20)) async throws -> Opening {
        let socket: PlainSocket
        switch place {
        case .sandbox(let sandbox):
            socket = PlainSocket(try await sandbox.socket(on: .client, .tcp).descriptor, patience: patience)
        case .proxy, .loopback:
            socket = try PlainSocket.make()
            socket.limit(patience)
        }
        return try await Task.onThread { open(socket, named: named) }.value
    }

    private func open(_ socket: PlainSocket, named: Bool) -> Opening {
        let start = ContinuousClock.now
        do {
            switch place {
            case .sandbox, .loopback:
                try socket.connect(to: address, port: port)
            case .proxy(let proxy):
                try socket.connect(to: "127.0.0.1", port: proxy)
                try socket.send(Array("CONNECT \(named ? Self.name : address):\(port) HTTP/1.1\r\n\r\n".utf8))
                let answer = try Self.head(of: socket)
                if !answer.hasPrefix("HTTP/1.1 200") {
                    socket.close()
                    return Opening(refusal: .answer(Self.reason(in: answer)), took: .now - start)
                }
            }
            return Opening(socket: socket, took: .now - start)
        } catch {
            socket.close()
            return Opening(refusal: .error(error as? Errno ?? .ioError), took: .now - start)
        }
    }

    /// The two ends of a new connection.
    func pair() async throws -> (client: PlainSocket, host: PlainSocket) {
        let opening = try await connect()
        guard let client = opening.socket else { throw Refused(opening: opening) }
        return (client, try listener.accept())
    }

    struct Refused: Error { var opening: Opening }

    private static func head(of socket: PlainSocket) throws -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = try socket.receive(1)
            guard !byte.isEmpty else { break }
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// The status and the error of `Proxy-Status`, such as "502 dns_error".
    private static func reason(in head: String) -> String {
        let status = head.split(separator: " ").dropFirst().first.map(String.init) ?? "no answer"
        let error = head.split(separator: "error=").dropFirst().first?.prefix { $0.isLetter || $0 == "_" } ?? ""
        return error.isEmpty ? status : "\(status) \(error)"
    }
}
