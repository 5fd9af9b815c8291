import Foundation
import LinuxSupport
import SystemPackage
import Testing

/// Facts about other machines, read from folders that look like their `/proc` and `/sys`.
@Suite("The machine of a run")
struct MachineReadingTests {
    struct Machine: Sendable, CustomTestStringConvertible {
        var name: String
        var files: [String: String]
        var model: String?
        /// The limit that is read for 8 processors.
        var limit: Double?
        var memory: Int64?

        var testDescription: String { name }
    }

    private static let x86 = """
        processor\t: 0
        vendor_id\t: AuthenticAMD
        cpu family\t: 25
        model\t\t: 1
        model name\t: AMD EPYC   7763 64-Core Processor
        power management:

        """

    static let machines = [
        Machine(name: "nothing to be read", files: [:]),
        Machine(
            name: "a machine without limits",
            files: [
                "proc/cpuinfo": x86 + "\n" + x86, "proc/self/cgroup": "0::/user.slice/user-0.slice\n",
                "proc/self/status": "Name:\tx\nCpus_allowed_list:\t0-7\n", "sys/fs/cgroup/cgroup.procs": "1\n",
                "sys/fs/cgroup/user.slice/memory.max": "max\n", "sys/fs/cgroup/user.slice/cpu.max": "max 100000\n",
            ], model: "AMD EPYC 7763 64-Core Processor (family 25, model 1)", limit: 8),
        Machine(
            name: "a container whose mount begins with its own group",
            files: [
                "proc/self/cgroup": "0::/docker/4711\n", "sys/fs/cgroup/cgroup.procs": "1\n",
                "sys/fs/cgroup/cpu.max": "150000 100000\n", "sys/fs/cgroup/memory.max": "1073741824\n",
            ], limit: 1.5, memory: 1 << 30),
        Machine(
            name: "a group in one that has less",
            files: [
                "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/cgroup.procs": "",
                "sys/fs/cgroup/a/cpu.max": "200000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "400000 100000\n",
                "sys/fs/cgroup/a/memory.max": "2147483648\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
            ], limit: 2, memory: 2 << 30),
        Machine(
            name: "control groups of the first version",
            files: [
                "proc/self/cgroup": "4:memory:/job\n3:cpu,cpuacct:/job\n1:name=systemd:/\n0::/\n",
                "sys/fs/cgroup/unified/cgroup.procs": "", "sys/fs/cgroup/memory/cgroup.procs": "",
                "sys/fs/cgroup/cpu,cpuacct/cgroup.procs": "",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "50000\n",
                "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "536870912\n",
            ], limit: 0.5, memory: 512 << 20),
        Machine(
            name: "some of its processors",
            files: [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cgroup.procs": "",
                "proc/self/status": "Cpus_allowed_list:\t0,2-3\n",
            ], limit: 3),
        Machine(
            name: "two kinds of Arm",
            files: [
                "proc/cpuinfo":
                    "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nCPU implementer\t: 0x41\n"
                    + "CPU part\t: 0xd03\n\nprocessor\t: 2\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
            ], model: "implementer 0x41, part 0xd03 and implementer 0x41, part 0xd0c"),
        Machine(
            name: "nonsense",
            files: [
                "proc/cpuinfo": "\u{0}:::\n: :\n", "proc/self/cgroup": "::\n0:\n7:cpu\n:cpu:..\n",
                "proc/self/status": "Cpus_allowed_list:\t9-1\n", "sys/fs/cgroup/cpu/cgroup.procs": "",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "much\n",
            ], limit: 8),
    ]

    @Test(arguments: machines)
    func isReadFromItsFiles(_ machine: Machine) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "headwind-machine-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (name, text) in machine.files {
            let file = root.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let reading = MachineReading(root: FilePath(root.path(percentEncoded: false)))
        #expect(reading.processorModel == machine.model)
        #expect(reading.processorLimit(of: 8) == machine.limit)
        #expect(reading.memoryLimit == machine.memory)
    }
}
