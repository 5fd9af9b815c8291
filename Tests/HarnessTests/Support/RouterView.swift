import Glibc
import LinkModel
import Synchronization
import SystemPackage
import Testbed

@testable import Harness
@testable import Links

/// The queues of an attempt's router, as tc(8) shows them inside its network.
final class RouterView: Sendable {
    private let shown = Mutex<[String]>([])

    /// The output of tc(8), one text an attempt.
    var texts: [String] { shown.withLock { $0 } }

    /// Dependencies whose attempts run `body` first, with the link up; the output of tc(8) at the end is kept.
    func dependencies(
        _ dependencies: AttemptDependencies = .quiet,
        before body: @escaping @Sendable (Testbed.Sandbox, any ConditionedLink) async throws -> Void = { _, _ in }
    ) -> AttemptDependencies {
        var dependencies = dependencies
        dependencies.links.withLink = { backend, setup, place, use in
            try await backend.provider.withLink(setup, at: place) { link, entrance in
                guard case .sandbox(let sandbox, _) = place, backend == .kernel else {
                    return try await use(link, entrance)
                }
                try await body(sandbox, link)
                try await use(link, entrance)
                let text = try await Self.output("tc -s qdisc show; tc -s class show dev host0", in: sandbox)
                self.shown.withLock { $0.append(text) }
            }
        }
        return dependencies
    }

    /// Runs a command in the router's network, and returns its output.
    static func output(_ command: String, in sandbox: Testbed.Sandbox) async throws -> String {
        let (output, input) = try FileDescriptor.pipe()
        defer { try? output.close() }
        var shell = SandboxCommand(
            ["sh", "-c", command], environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin", "LC_ALL": "C"])
        shell.namespace = .router
        shell.descriptors = [(input, 1), (input, 2)]
        let process: SandboxProcess
        do {
            process = try await sandbox.spawn(shell)
            try input.close()
        } catch {
            try? input.close()
            throw error
        }
        // A pipe has room for the few lines.
        _ = try await process.wait()
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = try bytes.withUnsafeMutableBytes { try output.read(into: $0) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
