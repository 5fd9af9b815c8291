import FoundationEssentials
import Glibc
package import KernelLink
import LinuxSupport
import SystemPackage

/// Starts the process that shapes an interface: it has a session of its own, and two pipes to this process.
package struct WatchdogStart {
    package enum Ending {
        /// The interface is shaped, and these are the lines for the user.
        case ready([String])
        /// It ended with this status, and has said why on standard error.
        case failed(Int32)
        case killed
    }

    package let process: Int32
    /// A byte in it says that the user has been informed.
    private let input: FileDescriptor
    private let output: FileDescriptor
    /// Its standard error; nil: it writes to that of this process.
    private let errors: FileDescriptor?

    /// Starts this program with `words`, which begin with the name of a program.
    ///
    /// Throws ``InterfaceLinkError`` if the process cannot be started, and `Errno` if a pipe cannot be made. With
    /// `keepsErrors` (default: false), ``errorText()`` returns what it writes to standard error.
    package init(_ words: [String], keepsErrors: Bool = false) throws {
        let (input, output) = (try makePipe(), try makePipe())
        let errors = keepsErrors ? try makePipe() : nil
        defer {
            try? input.reading.close()
            try? output.writing.close()
            try? errors?.writing.close()
        }
        do {
            process = try Self.spawn(words, input: input.reading, output: output.writing, errors: errors?.writing)
        } catch {
            for end in [input.writing, output.reading, errors?.reading] { try? end?.close() }
            throw error
        }
        (self.input, self.output, self.errors) = (input.writing, output.reading, errors?.reading)
    }

    /// What it has written to standard error, up to its end; for use after it has failed.
    package func errorText() -> String {
        let bytes = errors.flatMap { end in try? Self.read(end) { $0.count >= 16_384 } } ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reaps the process if it has ended, so that it is no zombie; returns whether it has.
    package func reap() -> Bool {
        var status: Int32 = 0
        return unsafe waitpid(process, &status, WNOHANG) != 0
    }

    /// Closes the pipes to the process, which goes on.
    package func close() {
        for end in [input, output] { try? end.close() }
        try? errors?.close()
    }

    /// Waits until the interface is shaped, or it is known that it will not be.
    package func wait() throws -> Ending {
        let last = "\(LinkWatchdog.end)\n"
        let bytes = try Self.read(output) { $0.ends(with: last) }
        guard bytes.ends(with: last) else { return ended() }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return .ready(lines.dropLast())
    }

    /// Confirms that the user is informed, so that the shape stays; returns how the watchdog ended if it is too late.
    package func confirm() -> Ending? {
        // A watchdog that was killed or has waited for too long does not read the byte, or does not answer.
        _ = try? input.writeAll([0])
        let answer = try? Self.read(output) { $0.contains(UInt8(ascii: "\n")) }
        return answer?.elementsEqual("\(LinkWatchdog.kept)\n".utf8) == true ? nil : ended()
    }

    /// The bytes from a pipe until these are enough for `isDone`, or until its end.
    private static func read(_ pipe: FileDescriptor, until isDone: ([UInt8]) -> Bool) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while !isDone(bytes),
            case let count = try unsafe part.withUnsafeMutableBytes({ try unsafe pipe.read(into: $0) }), count > 0
        {
            bytes += part[..<count]
        }
        return bytes
    }

    /// Has the shape removed, and waits until the watchdog has ended.
    package func withdraw() -> Ending {
        try? input.close()
        return ended()
    }

    private func ended() -> Ending {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .failed(status >> 8 & 0xff) : .killed
    }

    /// Removes what is left of a watchdog that was killed before it was ready; returns the error that ends the command.
    package static func cleanUp(_ order: LinkOrder) -> InterfaceLinkError {
        let what = "Could not shape interface \(order.interface): its process was killed. "
        do {
            let links = try InterfaceLinks()
            let target = try links.interface(named: order.interface)
            try LinkLock.hold(target.interface.index) {
                // A shape that another process holds is left alone.
                guard let found = try links.find(on: target), found.mark.map({ $0.keeper.presence == .gone }) ?? true
                else { return }
                try links.remove(found)
            }
        } catch {
            return InterfaceLinkError(
                .others,
                what
                    + "Headwind could not remove the rest: \(error) Try 'headwind link clear \(order.interface)'.")
        }
        return InterfaceLinkError(.others, what + "Nothing of it is left; try again.")
    }

    /// Starts this program in a session of its own, with the terminal's standard error until it is ready.
    private static func spawn(
        _ words: [String], input: FileDescriptor, output: FileDescriptor, errors: FileDescriptor?
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, STDOUT_FILENO)
        if let errors {
            unsafe posix_spawn_file_actions_adddup2(&actions, errors.rawValue, STDERR_FILENO)
        } else if fcntl(STDERR_FILENO, F_GETFD) < 0 {
            // Otherwise a file that it opens would get this number, and be closed when it leaves the terminal.
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        withholdDescriptors()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
        var process = Int32()
        let error: Int32 = unsafe withCStrings(words) { arguments in
            unsafe posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, environ)
        }
        guard error == 0 else {
            throw InterfaceLinkError(
                .others,
                "Could not start the process that holds a shape: \(Errno(rawValue: error)). "
                    + "Check the memory and the processes of this machine.")
        }
        return process
    }

    /// Keeps the caller's descriptors from the watchdog, which would hold a lock or a pipe for as long as the shape.
    private static func withholdDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let number = Int32(name), number > STDERR_FILENO else { continue }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    /// POSIX_SPAWN_SETSID of glibc.
    private static let newSession: Int16 = 0x80
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
