import CellProtocol
import Glibc
import SystemPackage
import Testbed

/// Cells for tests, made by a process that a test may start as another user, or kill.
@main
enum Trial {
    static func main() async throws {
        var configuration = CellConfiguration()
        configuration.storageSize = 1 << 20
        for _ in 0..<(Int(CommandLine.arguments.dropFirst().first ?? "1") ?? 1) {
            let start = ContinuousClock.now
            var up = start, last = start
            try await withCell(configuration) { cell in
                up = .now
                if CommandLine.arguments.count > 2 {
                    print(cell.notes, cell.scratch.inside, cell.scratch.outside)
                    var command = CellCommand(
                        Array(CommandLine.arguments.dropFirst(2)),
                        environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
                    command.descriptors = (0..<3).map { .init(FileDescriptor(rawValue: $0), as: $0) }
                    let process = try await cell.spawn(command)
                    print(try await process.wait())
                }
                last = .now
            }
            print("up", up - start, "gone", .now - last)
        }
    }
}
