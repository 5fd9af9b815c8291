import Glibc
import SandboxMessages
import Testbed

/// The namespaces of one sandbox, by their inodes.
///
/// The numbers are the same inside and outside.
struct Namespaces {
    private static let kinds = ["user", "pid", "mnt", "net", "ipc", "uts"]

    let names: Set<String>
    /// When the namespaces were read, in clock ticks since the machine's start.
    private let asked: UInt64

    /// Reads the namespaces of all three of its networks.
    init(of sandbox: Sandbox) async throws {
        var names: Set<String> = []
        for namespace in SandboxNamespace.allCases {
            var links = Self.kinds.map { "/proc/self/ns/\($0)" }.joined(separator: " ")
            links = "readlink \(links)"
            let text = try await output(of: links, in: sandbox, namespace)
            names.formUnion(text.split(separator: "\n").map(String.init))
        }
        self.names = names.subtracting(Self.own)
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        asked = UInt64(time.tv_sec) * UInt64(sysconf(Int32(_SC_CLK_TCK))) + UInt64(time.tv_nsec) / 10_000_000
    }

    /// The namespaces of this process.
    static let own = Set(kinds.compactMap { target(of: "/proc/self/ns/\($0)") })

    /// All processes of the machine that are in one of the namespaces, with their names.
    ///
    /// The kernel reuses namespace numbers, so a process that began later belongs to another sandbox.
    var inhabitants: [Int32: String] {
        var found: [Int32: String] = [:]
        for process in processIDs() where start(of: process).map({ $0 <= asked }) == true {
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

/// When a process began, in clock ticks since the machine's start.
///
/// See proc(5), stat.
private func start(of process: Int32) -> UInt64? {
    // A name may contain spaces and parentheses, so only the last `)` ends it.
    let fields = contents(of: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 19 ? UInt64(fields[19]) : nil
}

/// The descriptors that this process has open.
func openDescriptors() -> [String] {
    names(in: "/proc/self/fd").sorted()
}

/// Whether this process has a descriptor of another process.
///
/// The thread that reads from a sandbox closes the last one.
func hasProcessDescriptors() -> Bool {
    openDescriptors().contains { target(of: "/proc/self/fd/\($0)")?.contains("pidfd") == true }
}

/// The numbers of all processes that this one can see.
func processIDs() -> [Int32] {
    names(in: "/proc").compactMap { Int32($0) }
}

/// The machine's mounts, shared memory and interfaces, in which a leftover of a sandbox would show.
func machine() -> [String] {
    [contents(of: "/proc/self/mountinfo") ?? "", names(in: "/dev/shm").sorted().description]
        + names(in: "/sys/class/net").sorted()
}

/// The processes with `token` in their environment, with their names.
func allProcesses(bearing token: String) -> [Int32: String] {
    var found: [Int32: String] = [:]
    for process in processIDs() where contents(of: "/proc/\(process)/environ")?.contains(token) == true {
        found[process] = contents(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    }
    return found
}
