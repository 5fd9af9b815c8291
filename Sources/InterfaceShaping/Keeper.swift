import CLinux
import FoundationEssentials
import Glibc
package import KernelLink
import LinuxSupport
import SystemPackage

extension LinkMark.Keeper {
    /// Whether it still runs, as far as this process can see.
    package enum Presence: String {
        case running, gone
        /// Its number belongs to a process of another container, or this user may not see it.
        case hidden
    }

    /// This process.
    static var own: Self {
        let place = ProcessFiles.link("self/ns/pid").map(Self.place)
        return Self(process: getpid(), started: started(getpid()) ?? 0, place: place)
    }

    package var presence: Presence {
        // In another namespace the number is that of another process.
        if let place, let here = ProcessFiles.link("self/ns/pid"), Self.place(here) != place { return .hidden }
        guard let found = Self.started(process) else { return isSeen ? .gone : .hidden }
        return found == started && ProcessFiles.text("\(process)/comm") == LinkWatchdog.name + "\n" ? .running : .gone
    }

    /// Sends it SIGTERM, waits up to `patience`, and returns whether it has ended.
    ///
    /// A user who is root in a network namespace can write any number into a mark. So a process that is not provably
    /// the watchdog of an interface of this network gets no signal, and counts as ended. If it is a watchdog all the
    /// same, it finds that its shape is gone.
    package func end(patience: Duration) -> Bool {
        guard presence == .running else { return true }
        let descriptor = headwind_pidfd_open(process)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // The descriptor keeps standing for the same process.
        guard presence == .running, isProvable else { return true }
        guard headwind_pidfd_send_signal(descriptor, SIGTERM) == 0 else { return errno == ESRCH }
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, Int32(patience / .milliseconds(1))) > 0
    }

    /// Whether it is headwind, in the same network, and runs as root or as this user.
    private var isProvable: Bool {
        var state = stat()
        guard let network = ProcessFiles.link("self/ns/net"), ProcessFiles.link("\(process)/ns/net") == network,
            unsafe stat("/proc/\(process)", &state) == 0, state.st_uid == 0 || state.st_uid == geteuid(),
            let program = ProcessFiles.link("\(process)/exe"), let own = ProcessFiles.link("self/exe")
        else { return false }
        // The path of a program that was replaced meanwhile has " (deleted)" at its end.
        func name(_ path: String) -> Substring {
            (path.split(separator: "/").last ?? "").split(separator: " ").first ?? ""
        }
        return name(program) == name(own)
    }

    /// Whether a process of which no start is known has ended: there is none, or a zombie.
    private var isSeen: Bool {
        if unsafe access("/proc/\(process)/stat", F_OK) == 0 { return true }
        let descriptor = headwind_pidfd_open(process)
        guard descriptor >= 0 else { return errno == ESRCH }
        close(descriptor)
        return false
    }

    /// The last 24 bits of a namespace's number, which is in a link such as `pid:[4026531836]`.
    private static func place(_ link: String) -> UInt32 {
        (UInt32(link.filter { ("0"..."9").contains($0) }) ?? 0) & LinkMark.Keeper.mostPlaces
    }

    /// When a process was started, in ticks since boot; nil if there is none, or it is a zombie.
    private static func started(_ process: Int32) -> UInt64? {
        guard let fields = ProcessFiles.fields(of: process), fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }
}

/// Files of proc(5), as far as this user may read them.
enum ProcessFiles {
    private static let most = 16 << 20

    /// The first 16 MiB of a file below /proc; nil if it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? { try? BoundedFile.read(FilePath("/proc/\(path)"), most: most) }

    static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// The target of a link below /proc; nil if it cannot be read.
    static func link(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(path)")
    }

    /// The fields of the file `stat` of a process, from the third on; nil if it cannot be read.
    static func fields(of process: Int32) -> [Substring]? {
        // The second is the name, which may have anything in it.
        guard let text = text("\(process)/stat"), let name = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: name)...].split(separator: " ")
    }
}
