import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    @Suite struct LeakTests {
        /// Runs in its own process, as concurrent tests open descriptors too.
        @Test func leavesNothing() async throws {
            await #expect(processExitsWith: .success) {
                // Opens everything that stays open before the first count.
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
                // Sandboxes differ in their namespaces, although the kernel reuses numbers.
                #expect(sandboxes.reduce(into: Set()) { $0.formUnion($1.names) }.count > 8)
                #expect(await eventually { openDescriptors() == before.0 }, "\(openDescriptors()), before \(before.0)")
                #expect(machine() == before.1)
                #expect(await eventually { names(in: "/proc/self/task").count <= before.2 + 2 })
            }
        }
    }
}

/// Checks that the counters see a living sandbox, as blind counters would pass as well.
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
        // The sandbox's own mounts are visible inside, and not here.
        #expect(machine() == before.1)
        #expect(contents(of: "/proc/\(process)/mountinfo")?.contains("/etc/resolv.conf") == true)
    }
}

/// Uses every feature that has its own descriptors.
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
