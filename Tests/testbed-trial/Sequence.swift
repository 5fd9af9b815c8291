import Glibc
import SandboxMessages
import SystemPackage
import Testbed

/// Sandboxes one after the other, each of which is reported while it is up; for Benchmarks/kills.
enum Sequence {
    /// Makes `--count` sandboxes.
    ///
    /// For each it prints `sandbox` and a process in each of its networks, and waits for a line.
    static func run(_ options: Options) async throws {
        var leaked: [[UInt8]] = []
        for _ in 0..<options.count {
            try await withSandbox(options.configuration) { sandbox in
                var processes: [Int32] = []
                for namespace in SandboxNamespace.allCases {
                    var command = SandboxCommand(["sleep", "600"], environment: ["PATH": "/usr/bin:/bin"])
                    command.namespace = namespace
                    processes.append(try await sandbox.spawn(command).processIDOutside)
                    let listener = try await sandbox.listen(on: namespace)
                    try listener.descriptor.close()
                }
                say("sandbox", processes.map(String.init).joined(separator: " "))
                guard readLine() != nil else { throw Problem("nobody looks any more") }
            }
            // Imitates a leak for the program that counts.
            if options.leak > 0 { leaked.append([UInt8](repeating: 1, count: options.leak)) }
        }
        exit(leaked.count == options.count || options.leak == 0 ? 0 : 1)
    }
}
