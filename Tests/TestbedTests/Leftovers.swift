import CellMessages
import Glibc
import Testbed

/// The namespaces of one cell, by their inodes, as those in it see them: the same numbers as outside.
struct Namespaces {
    private static let kinds = ["user", "pid", "mnt", "net", "ipc", "uts"]

    let names: Set<String>

    /// Asks in all three of its networks.
    init(of cell: Cell) async throws {
        var names: Set<String> = []
        for namespace in CellNamespace.allCases {
            var links = Self.kinds.map { "/proc/self/ns/\($0)" }.joined(separator: " ")
            links = "readlink \(links)"
            let text = try await output(of: links, in: cell, namespace)
            names.formUnion(text.split(separator: "\n").map(String.init))
        }
        self.names = names.subtracting(Self.own)
    }

    /// Those of this process.
    static let own = Set(kinds.compactMap { target(of: "/proc/self/ns/\($0)") })

    /// The processes of the whole machine that are in one of them, with their names.
    var inhabitants: [Int32: String] {
        var found: [Int32: String] = [:]
        for process in processIDs() {
            let isInside = Self.kinds.contains { target(of: "/proc/\(process)/ns/\($0)").map(names.contains) == true }
            if isInside {
                found[process] = contents(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
            }
        }
        return found
    }

    /// The descriptors of this process that keep one of them alive as a file.
    ///
    /// See nsfs in namespaces(7).
    var descriptors: [String] {
        openDescriptors().filter { target(of: "/proc/self/fd/\($0)").map(names.contains) == true }
    }
}

/// What this process has open.
func openDescriptors() -> [String] {
    names(in: "/proc/self/fd").sorted()
}

/// The numbers of all processes that this one can see.
func processIDs() -> [Int32] {
    names(in: "/proc").compactMap { Int32($0) }
}

/// What the whole machine shows of cells that are not in order: mounts, shared memory, and interfaces.
func machine() -> [String] {
    [contents(of: "/proc/self/mountinfo") ?? "", names(in: "/dev/shm").sorted().description]
        + names(in: "/sys/class/net").sorted()
}

/// The processes that have a text in their environment.
func allProcesses(bearing token: String) -> [Int32: String] {
    var found: [Int32: String] = [:]
    for process in processIDs() where contents(of: "/proc/\(process)/environ")?.contains(token) == true {
        found[process] = contents(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    }
    return found
}
