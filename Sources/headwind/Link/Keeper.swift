import CLinux
import FoundationEssentials
import Glibc
import KernelLink

extension LinkMark.Keeper {
    /// This process.
    static var own: Self { Self(process: getpid(), started: started(getpid()) ?? 0) }

    /// Whether it still runs: its number may be another's by now.
    var isAlive: Bool { Self.started(process) == started }

    /// Tells it to end, and waits until it has; answers whether it has.
    func end(patience: Duration) -> Bool {
        let descriptor = headwind_pidfd_open(process)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // What the descriptor stands for does not change any more.
        guard isAlive else { return true }
        guard headwind_pidfd_send_signal(descriptor, SIGTERM) == 0 else { return errno == ESRCH }
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, Int32(patience / .milliseconds(1))) > 0
    }

    /// When a process was started, in ticks since boot; nil where there is none, or it is a zombie.
    private static func started(_ process: Int32) -> UInt64? {
        guard let text = ProcessFiles.text("\(process)/stat"), let name = text.lastIndex(of: ")") else { return nil }
        // The name may have anything in it; behind it come the fields from the third on.
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }
}

/// Files of proc(5), as far as this user may read them.
enum ProcessFiles {
    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen("/proc/\(path)", "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0, bytes.count < most {
            bytes += part[..<count]
        }
        return bytes
    }

    static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    private static let most = 16 << 20
}
