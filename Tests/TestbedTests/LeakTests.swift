import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    @Suite struct LeakTests {
        /// In a process of its own, because tests beside this one open descriptors too.
        @Test func leavesNothing() async throws {
            await #expect(processExitsWith: .success) {
                // What is opened once and for all is opened before anything is counted.
                _ = try await useEverything()
                #expect(await eventually { !hasProcessDescriptors() })
                let before = (openDescriptors(), machine(), names(in: "/proc/self/task").count)
                try await proveTheCounters()
                var sandboxes: [Namespaces] = []
                for _ in 0..<50 { sandboxes.append(try await useEverything()) }
                for sandbox in sandboxes {
                    #expect(sandbox.names.count == 8)
                    #expect(sandbox.inhabitants.isEmpty)
                    #expect(sandbox.descriptors.isEmpty)
                }
                // No two had the same.
                #expect(sandboxes.reduce(into: Set()) { $0.formUnion($1.names) }.count > 8)
                #expect(await eventually { openDescriptors() == before.0 }, "\(openDescriptors()), before \(before.0)")
                #expect(machine() == before.1)
                #expect(await eventually { names(in: "/proc/self/task").count <= before.2 + 2 })
            }
        }
    }
}

/// Counters that see nothing would pass as well.
private func proveTheCounters() async throws {
    let before = (openDescriptors().count, machine())
    try await withSandbox { sandbox in
        let namespaces = try await Namespaces(of: sandbox)
        let inhabitants = namespaces.inhabitants
        #expect(inhabitants.count == 2)
        #expect(openDescriptors().count > before.0)
        let process = try #require(inhabitants.keys.first)
        let file = try FileDescriptor.open(FilePath("/proc/\(process)/ns/net"), .readOnly)
        #expect(namespaces.descriptors == ["\(file.rawValue)"])
        try file.close()
        #expect(namespaces.descriptors.isEmpty)
        // Nothing of the sandbox's own mounts is to be seen here, and they are to be seen there.
        #expect(machine() == before.1)
        #expect(contents(of: "/proc/\(process)/mountinfo")?.contains("/etc/resolv.conf") == true)
    }
}

/// Every way in and out that has descriptors of its own.
private func useEverything() async throws -> Namespaces {
    struct Failure: Error {}
    var configuration = SandboxConfiguration()
    configuration.storageSize = 1 << 20
    _ = try? await withSandbox(configuration) { _ in throw Failure() }
    configuration.congestionControl = "nonsense"
    _ = try? await withSandbox(configuration) { _ in }
    configuration.congestionControl = "cubic"
    return try await withSandbox(configuration) { sandbox in
        for namespace in SandboxNamespace.allCases {
            let listener = try await sandbox.listen(on: namespace)
            _ = try? await sandbox.listen(on: namespace, port: listener.port ?? 0)
            try listener.descriptor.close()
        }
        _ = try? await sandbox.spawn(SandboxCommand(["no-such-program"], environment: [:]))
        _ = try await sandbox.spawn(shell("exit 1")).wait()
        _ = try await sandbox.spawn(shell("exec sleep 600"))
        return try await Namespaces(of: sandbox)
    }
}
