import Glibc
import LinkModel
import SandboxMessages
import SystemPackage
import Testbed

extension LinkUnderTest {
    /// The result of a lookup of the host's name: `found`, an error of getaddrinfo(3), or a proxy's answer.
    struct Lookup: Sendable {
        var result: String
        var time: Duration
    }

    /// Looks up the host's name, by a program in the sandbox or by the proxy.
    func lookUp() async throws -> Lookup {
        switch place {
        case .sandbox(let sandbox): return try await Self.lookUp(in: sandbox)
        case .proxy, .loopback:
            let roundTrip = try await link.conditions.rtt
            let opening = try await connect(named: true)
            opening.socket?.close()
            switch opening.refusal {
            case nil: return Lookup(result: "found", time: opening.took - roundTrip)
            case .answer(let answer): return Lookup(result: answer, time: opening.took)
            case .error(let error): return Lookup(result: "\(error)", time: opening.took)
            }
        }
    }

    private static let program = """
        import socket, time
        names = {socket.EAI_AGAIN: "EAI_AGAIN", socket.EAI_NONAME: "EAI_NONAME", socket.EAI_NODATA: "EAI_NODATA"}
        start = time.monotonic()
        try:
            socket.getaddrinfo("\(name)", 80, type=socket.SOCK_STREAM)
            result = "found"
        except socket.gaierror as error:
            result = names.get(error.errno, str(error.errno))
        print(result, int((time.monotonic() - start) * 1e6))
        """

    private static func lookUp(in sandbox: Sandbox) async throws -> Lookup {
        let (output, input) = try FileDescriptor.pipe()
        defer { try? output.close() }
        var command = SandboxCommand(["python3", "-c", program], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        command.descriptors = [(input, 1)]
        let process: SandboxProcess
        do {
            process = try await sandbox.spawn(command)
            try input.close()
        } catch {
            try? input.close()
            throw error
        }
        _ = try await process.wait()
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = try bytes.withUnsafeMutableBytes { try output.read(into: $0) }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let time = Int(words[1]) else { throw Errno.ioError }
        return Lookup(result: String(words[0]), time: .microseconds(time))
    }

    /// The result of a datagram to the host, and its time; nil if the backend carries no datagrams.
    func datagram() async throws -> (result: String, time: Duration)? {
        guard case .sandbox(let sandbox) = place else { return nil }
        let host = PlainSocket(try await sandbox.socket(on: .host, .udp, port: 9).descriptor, patience: .seconds(2))
        let client = PlainSocket(try await sandbox.socket(on: .client, .udp).descriptor, patience: .seconds(2))
        defer {
            host.close()
            client.close()
        }
        let start = ContinuousClock.now
        do {
            try client.connect(to: address, port: 9)
            try client.send([1])
        } catch {
            return ("\(OfflineRow.name(of: error)) of send", .now - start)
        }
        let arrival = Task.onThread { (try? host.receive()) == [1] ? Optional(ContinuousClock.now) : nil }
        let answer = Task.onThread {
            do {
                return ("\(try client.receive())", ContinuousClock.now)
            } catch {
                return (OfflineRow.name(of: error), ContinuousClock.now)
            }
        }
        let (result, time) = try await answer.value
        if let time = try await arrival.value { return ("arrives", time - start) }
        return (result == "waits" ? "nothing" : result, time - start)
    }
}
