import CLinux
import Glibc
import SandboxMessages
import SystemPackage

/// The file systems that a sandbox mounts, visible only to itself.
struct Mounts {
    /// The scratch directory, and the device storage if there is one.
    let scratch: FilePath
    let storage: FilePath?

    /// The mount point of the sandbox's own memory file system.
    ///
    /// A sandbox has its own IPC namespace, so it has its own shared memory anyway. A new mount point would also exist
    /// outside.
    private static let root = FilePath("/dev/shm")

    init(_ configuration: SandboxRequest.Configure, notes: inout [SandboxNote]) throws(SandboxReply.Failure) {
        if unsafe headwind_mount_without_setuid("/") != 0 {
            notes.append(SandboxNote(.setuid, "/", code: errno))
        }
        let flags = MountFlags.noSetuid | MountFlags.noDevices
        if unsafe headwind_mount("proc", "/proc", "proc", flags | MountFlags.noPrograms, nil) != 0 {
            notes.append(SandboxNote(.maskedProc, "/proc", code: errno))
        }
        if let error = SystemSettings.protect() {
            notes.append(SandboxNote(.writableSettings, "/proc/sys", code: error.rawValue))
        }
        let size = configuration.scratchSize.map { ",size=\($0)" } ?? ""
        try Self.mount("tmpfs", at: Self.root, "mode=1777\(size)", stage: .scratch)
        scratch = Self.root.appending("headwind")
        try Self.makeDirectory(scratch, stage: .scratch)
        if let size = configuration.storageSize {
            let path = Self.root.appending("headwind-device")
            try Self.makeDirectory(path, stage: .storage)
            try Self.mount("tmpfs", at: path, "mode=0700,size=\(size)", stage: .storage)
            storage = path
        } else {
            storage = nil
        }
        NameServiceFiles.replace(in: Self.root.appending(".headwind"), outside: configuration.outside, notes: &notes)
    }

    /// Opens a directory, so that the harness can reach it by the descriptor.
    static func open(_ path: FilePath) throws(SandboxReply.Failure) -> FileDescriptor {
        try SandboxStage.scratch.attempt(path.string) {
            try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec, .noFollow])
        }
    }

    private static func mount(
        _ type: String, at path: FilePath, _ data: String, stage: SandboxStage
    ) throws(SandboxReply.Failure) {
        let flags = MountFlags.noSetuid | MountFlags.noDevices
        guard unsafe headwind_mount(type, path.string, type, flags, data) == 0 else {
            throw .init(stage, Errno(rawValue: errno), detail: path.string)
        }
    }

    static func makeDirectory(_ path: FilePath, stage: SandboxStage) throws(SandboxReply.Failure) {
        guard unsafe mkdir(path.string, 0o700) == 0 else {
            throw .init(stage, Errno(rawValue: errno), detail: path.string)
        }
    }
}

/// Flags of mount(2).
enum MountFlags {
    static let noSetuid: UInt = 2
    static let noDevices: UInt = 4
    static let noPrograms: UInt = 8
    static let bind: UInt = 4096
}
