import Foundation
import Glibc

/// A small server in Python, as people use to serve a folder.
final class PythonServer {
    private let process = Process()
    private(set) var url = ""

    /// Runs a script that prints its URL and then serves; `arguments` are the script's.
    init(_ script: String, _ arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func stop() {
        // A thread that blocks signals passes that on to its children, so another signal might not reach them.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Serves a folder, and ignores ranges, as `python3 -m http.server` does.
    static let folder = """
        import functools, http.server, sys
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()
        """

    /// Completes handshakes with a certificate and a key, at most in the named version of TLS, and answers nothing.
    static let handshake = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if len(sys.argv) > 3:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion[sys.argv[3]]
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server = socket.create_server(("127.0.0.1", 0))
        print(f"https://127.0.0.1:{server.getsockname()[1]}/", flush=True)
        while True:
            client, _ = server.accept()
            try:
                context.wrap_socket(client, server_side=True).recv(1)
            except OSError:
                pass
            client.close()
        """
}
