import CellMessages
import Glibc
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
                var cells: [Namespaces] = []
                for _ in 0..<50 { cells.append(try await useEverything()) }
                for cell in cells {
                    #expect(cell.names.count == 8)
                    #expect(cell.inhabitants.isEmpty)
                    #expect(cell.descriptors.isEmpty)
                }
                // No two had the same.
                #expect(cells.reduce(into: Set()) { $0.formUnion($1.names) }.count > 8)
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
    try await withCell { cell in
        let namespaces = try await Namespaces(of: cell)
        let inhabitants = namespaces.inhabitants
        #expect(inhabitants.count == 2)
        #expect(openDescriptors().count > before.0)
        let process = try #require(inhabitants.keys.first)
        let file = try FileDescriptor.open(FilePath("/proc/\(process)/ns/net"), .readOnly)
        #expect(namespaces.descriptors == ["\(file.rawValue)"])
        try file.close()
        #expect(namespaces.descriptors.isEmpty)
        // Nothing of the cell's own mounts is to be seen here, and they are to be seen there.
        #expect(machine() == before.1)
        #expect(contents(of: "/proc/\(process)/mountinfo")?.contains("/etc/resolv.conf") == true)
    }
}

/// Every way in and out that has descriptors of its own.
private func useEverything() async throws -> Namespaces {
    struct Failure: Error {}
    var configuration = CellConfiguration()
    configuration.storageSize = 1 << 20
    _ = try? await withCell(configuration) { _ in throw Failure() }
    configuration.congestionControl = "nonsense"
    _ = try? await withCell(configuration) { _ in }
    configuration.congestionControl = "cubic"
    return try await withCell(configuration) { cell in
        for namespace in CellNamespace.allCases {
            let listener = try await cell.listen(on: namespace)
            _ = try? await cell.listen(on: namespace, port: listener.port ?? 0)
            try listener.descriptor.close()
        }
        _ = try? await cell.spawn(CellCommand(["no-such-program"], environment: [:]))
        _ = try await cell.spawn(shell("exit 1")).wait()
        _ = try await cell.spawn(shell("exec sleep 600"))
        return try await Namespaces(of: cell)
    }
}
