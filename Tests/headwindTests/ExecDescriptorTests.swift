import Foundation
import Testing

/// Hundreds of connections at once, whatever headwind's own limits of descriptors are.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3))) struct ExecDescriptorTests {
    /// A server that echoes, and a client that has all of its connections open at once.
    private static let script = """
        import resource, selectors, socket, sys, time
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        if sys.argv[1] == 'serve':
            chosen, listener = selectors.DefaultSelector(), socket.create_server(('127.0.0.1', 0), backlog=1024)
            chosen.register(listener, selectors.EVENT_READ)
            print(listener.getsockname()[1], flush=True)
            while True:
                for key, _ in chosen.select():
                    if key.fileobj is listener:
                        chosen.register(listener.accept()[0], selectors.EVENT_READ)
                        continue
                    try: data = key.fileobj.recv(16)
                    except OSError: data = b''
                    if data: key.fileobj.send(data)
                    else: chosen.unregister(key.fileobj); key.fileobj.close()
        ends, echoed = [], 0
        for _ in range(int(sys.argv[4])):
            ends.append(socket.create_connection((sys.argv[2], int(sys.argv[3])), 20))
        for end in ends:
            try: end.send(b'x'); echoed += end.recv(1) == b'x'
            except OSError: pass
        print('echoed', echoed)
        """

    private func run(limits: String, _ options: String, host: String, count: Int, patience: Int = 60) async throws
        -> ExecRun.Answer
    {
        let run = try ExecRun()
        defer { run.remove() }
        try Self.write(Self.script, to: run.folder.appending("ends.py").string)
        return try await run.run(
            """
            prlimit --nofile=3000:3000 python3 ends.py serve > port & server=$!
            while ! test -s port; do sleep 0.05; done
            P=$(cat port); prlimit --nofile=\(limits) $HW exec --backend packet --profile wifi \(options) -- sh -c "
                ulimit -n; timeout \(patience) python3 ends.py ask \(host) $P \(count)"
            status=$?; kill $server; exit $status
            """)
    }

    @Test func aForwardedPortTakesHundredsAtOnce() async throws {
        let answer = try await run(
            limits: "3000:3000", "--forward $P", host: "127.0.0.1", count: 300)
        #expect(answer.output == "3000\nechoed 300\n" && answer.status == 0, "\(answer)")
    }

    /// headwind starts with its caller's soft limit of 1024 and raises it; the program starts with 1024.
    @Test func theSoftLimitDoesNotLimitConnections() async throws {
        let answer = try await run(limits: "1024:3000", "", host: "host.headwind.internal", count: 600)
        #expect(answer.output == "1024\nechoed 600\n" && answer.status == 0, "\(answer)")
    }

    /// The program is not blamed for headwind's lack of descriptors.
    @Test func theHardLimitIsReported() async throws {
        let answer = try await run(limits: "1024:1024", "", host: "host.headwind.internal", count: 700, patience: 10)
        #expect(answer.status == 125, "\(answer)")
        #expect(answer.errors.contains("could not relay all connections"), "\(answer)")
    }

    private static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
