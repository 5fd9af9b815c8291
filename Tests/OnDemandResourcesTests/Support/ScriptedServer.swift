import Foundation
import Glibc
import PackFormat
import Synchronization

/// An HTTP server on raw sockets that sends exactly the bytes that a test's script says, right or wrong.
final class ScriptedServer: Sendable {
    /// A request as received.
    struct Request: Sendable {
        var method: String
        var target: String
        var fields: [String: String]
        /// The request's number among those for its target, from 1.
        var number: Int

        /// The first byte that a Range field asks for; nil without one.
        var from: Int? {
            guard let range = fields["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
            return Int(range.dropFirst(6).dropLast())
        }
    }

    /// What the server does for a request, in order.
    ///
    /// The connection is kept unless a step ends it.
    enum Step: Sendable {
        case send([UInt8])
        /// Closes the connection in order.
        case close
        /// Ends the connection by RST.
        case reset
        /// Sends nothing until the client goes away.
        case stall
        /// Waits until the gate is open.
        case wait(Gate)
        case sleep(microseconds: UInt32)
    }

    typealias Script = @Sendable (Request) -> [Step]

    let port: UInt16
    private let listener: Int32
    private let script: Script
    private let greeting: [UInt8]?
    private let seen = Mutex<[Request]>([])

    /// Listens on a free port of 127.0.0.1, and answers by `script`, each connection on its own thread.
    ///
    /// With a `greeting`, a connection gets these bytes and is closed, whatever the client sent.
    init(greeting: [UInt8]? = nil, _ script: @escaping Script) throws {
        let (listener, port) = try LoopbackPort.bind()
        guard listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        self.script = script
        self.greeting = greeting
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [self] in accept() }
    }

    func stop() {
        // accept(2) returns when its listener is shut down; closing alone would leave it waiting.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Every request so far, in the order in which their heads were complete.
    var requests: [Request] { seen.withLock { $0 } }

    /// Requests for one target.
    func requests(for target: String) -> [Request] { requests.filter { $0.target == target } }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { break }
            // Children of other tests must not inherit it: a connection ends only when all its descriptors are closed.
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            Thread.detachNewThread { [self] in
                serve(client)
                Glibc.close(client)
            }
        }
        Glibc.close(listener)
    }

    private func serve(_ client: Int32) {
        if let greeting {
            _ = sendAll(client, greeting)
            return
        }
        var rest: [UInt8] = []
        while let request = readRequest(client, &rest) {
            for step in script(request) {
                switch step {
                case .send(let bytes):
                    guard bytes.isEmpty || sendAll(client, bytes) else { return }
                case .close: return
                case .reset:
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                    return
                case .stall:
                    var byte: UInt8 = 0
                    while recv(client, &byte, 1, 0) > 0 {}
                    return
                case .wait(let gate): gate.pass()
                case .sleep(let microseconds): usleep(microseconds)
                }
            }
        }
    }

    private func sendAll(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func readRequest(_ client: Int32, _ rest: inout [UInt8]) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            if let range = rest.firstRange(of: end) {
                let head = String(decoding: rest[..<range.lowerBound], as: UTF8.self)
                rest.removeSubrange(..<range.upperBound)
                return note(head)
            }
            let count = recv(client, &buffer, buffer.count, 0)
            if count <= 0 { return nil }
            rest += buffer[..<count]
        }
    }

    private func note(_ head: String) -> Request {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2 { fields[parts[0].lowercased()] = parts[1] }
        }
        return seen.withLock { seen in
            let number = seen.count { $0.target == words[1] } + 1
            let request = Request(method: words[0], target: words[1], fields: fields, number: number)
            seen.append(request)
            return request
        }
    }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}

extension ScriptedServer {
    /// A host of one pack, `p` with the tag `t`, for whose file `script` answers.
    static func host(_ pack: AssetPackManifest.Resource, _ script: @escaping Script) throws -> ScriptedServer {
        let manifest = try AssetPackManifest(resources: [pack]).plist()
        let table = try TagTable(packsByTag: ["t": ["p"]], pathsByPack: [:]).plist()
        return try ScriptedServer { request in
            switch request.target {
            case "/AssetPackManifest.plist": Right.whole(manifest)
            case "/OnDemandResources.plist": Right.whole(table)
            default: script(request)
            }
        }
    }
}
