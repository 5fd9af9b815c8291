import LinuxSupport
import SystemPackage

/// Forwards a port on the loopback of a sandbox's client to the same port of this machine's loopback, through the link.
package final class LoopbackForward: Sendable {
    private let sandbox: Sandbox
    private let port: UInt16
    private let threads: SocketThreads

    private init(_ sandbox: Sandbox, port: UInt16) {
        self.sandbox = sandbox
        self.port = port
        threads = SocketThreads(shortage: sandbox.shortage)
    }

    /// Forwards the ports until `body` has ended.
    ///
    /// Throws `SandboxError` if it cannot listen on one of them.
    package static func with<Value>(
        _ ports: [UInt16], of sandbox: Sandbox, _ body: () async throws -> Value
    ) async throws -> Value {
        var forwards: [LoopbackForward] = []
        return try await ending {
            for port in ports {
                let forward = LoopbackForward(sandbox, port: port)
                forwards.append(forward)
                try await forward.listen()
            }
            return try await body()
        } with: {
            for forward in forwards { await forward.threads.end() }
        }
    }

    private func listen() async throws {
        accept(try await sandbox.listen(on: .client, port: port, isLoopback: true).descriptor)
        // A sandbox may have no IPv6.
        if let listener = try? await sandbox.listen(on: .client, port: port, family: .ipv6, isLoopback: true) {
            accept(listener.descriptor)
        }
    }

    private func accept(_ listener: FileDescriptor) {
        threads.start(
            { self.threads.accept(listener) { self.connect($0) } }, orElse: { threads.close(listener) })
    }

    private func connect(_ near: FileDescriptor) {
        guard threads.keep(near) else { return threads.close(near) }
        threads.startTask { [self] in
            guard let far = try? await sandbox.socket(on: .client, .tcp).descriptor else { return refuse(near) }
            threads.start({ self.carry(near, far) }, orElse: { refuse(near, far) })
        }
    }

    private func carry(_ near: FileDescriptor, _ far: FileDescriptor) {
        guard threads.keep(far),
            SocketName(SandboxAddresses.outside.address, port: port)?.connect(far.rawValue) == 0
        else { return refuse(near, far) }
        var pump = SocketPump(near, far)
        pump.run()
        for socket in [far, near] { threads.close(socket) }
    }

    /// Resets the connection, as a port without a listener does.
    private func refuse(_ near: FileDescriptor, _ far: FileDescriptor? = nil) {
        SocketPump.reset(near)
        for socket in [far, near] { if let socket { threads.close(socket) } }
    }
}
