import CellMessages
import Glibc
import SystemPackage
import Testbed

/// Cells one after the other, each of which is shown while it is up; for Benchmarks/kills.
enum Sequence {
    /// Makes `--count` cells; of each it says `cell` and a process in each of its networks, and waits for a line.
    static func run(_ options: Options) async throws {
        var leaked: [[UInt8]] = []
        for _ in 0..<options.count {
            try await withCell(options.configuration) { cell in
                var processes: [Int32] = []
                for namespace in CellNamespace.allCases {
                    var command = CellCommand(["sleep", "600"], environment: ["PATH": "/usr/bin:/bin"])
                    command.namespace = namespace
                    processes.append(try await cell.spawn(command).processIDOutside)
                    let listener = try await cell.listen(on: namespace)
                    try listener.descriptor.close()
                }
                say("cell", processes.map(String.init).joined(separator: " "))
                guard readLine() != nil else { throw Problem("nobody looks any more") }
            }
            // What a leak looks like to whoever counts.
            if options.leak > 0 { leaked.append([UInt8](repeating: 1, count: options.leak)) }
        }
        exit(leaked.count == options.count || options.leak == 0 ? 0 : 1)
    }
}
