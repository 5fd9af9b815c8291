import FoundationEssentials
import Glibc
package import KernelLink
import SystemPackage

/// The start of the process that shapes an interface: a session of its own, told of by two pipes.
package struct WatchdogStart {
    package enum Ending {
        /// The interface is shaped, and these are the lines for the user.
        case ready([String])
        /// It has said why on standard error.
        case failed(Int32)
        case killed
    }

    package let process: Int32
    /// A byte in it says that the user has been told.
    private let input: FileDescriptor
    private let output: FileDescriptor
    /// What it says where it fails; nil: that goes to standard error.
    private let errors: FileDescriptor?

    /// Starts this program with `words`, the name of a program before them; throws ``InterfaceLinkError`` where that is not to be had.
    ///
    /// `keepsErrors`: what it says where it fails is for ``errorText()``, and not for standard error.
    package init(_ words: [String], keepsErrors: Bool = false) throws {
        let (input, output) = (try Self.pipe(), try Self.pipe())
        let errors = keepsErrors ? try Self.pipe() : nil
        defer {
            try? input.readEnd.close()
            try? output.writeEnd.close()
            try? errors?.writeEnd.close()
        }
        do {
            process = try Self.spawn(words, input: input.readEnd, output: output.writeEnd, errors: errors?.writeEnd)
        } catch {
            for end in [input.writeEnd, output.readEnd, errors?.readEnd] { try? end?.close() }
            throw error
        }
        (self.input, self.output, self.errors) = (input.writeEnd, output.readEnd, errors?.readEnd)
    }

    /// What it has said on standard error, up to its end; to be asked where it has failed.
    package func errorText() -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 16_384, let errors,
            let count = try? unsafe part.withUnsafeMutableBytes({ try unsafe errors.read(into: $0) }), count > 0
        {
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the process if it has ended, so that it is no zombie; answers whether it has.
    package func reap() -> Bool {
        var status: Int32 = 0
        return unsafe waitpid(process, &status, WNOHANG) != 0
    }

    /// Closes what is open to the process, which goes on.
    package func close() {
        for end in [input, output] { try? end.close() }
        try? errors?.close()
    }

    /// Waits until the interface is shaped, or it is known that it will not be.
    package func wait() throws -> Ending {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while !bytes.ends(with: "\(LinkWatchdog.end)\n") {
            let count = try unsafe part.withUnsafeMutableBytes { try unsafe output.read(into: $0) }
            guard count > 0 else { return ended() }
            bytes += part[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return .ready(lines.dropLast())
    }

    /// Has the shape stay, as the user has been told of it; answers what has become of the watchdog where that is not to be had any more.
    package func confirm() -> Ending? {
        // Where it has been killed meanwhile, or has waited for too long, it is not read, or not answered.
        _ = try? input.writeAll([0])
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64)
        while !answer.contains(UInt8(ascii: "\n")),
            let count = try? unsafe part.withUnsafeMutableBytes({ try unsafe output.read(into: $0) }), count > 0
        {
            answer += part[..<count]
        }
        return answer.elementsEqual("\(LinkWatchdog.kept)\n".utf8) ? nil : ended()
    }

    /// Has the shape taken off, and waits until it is.
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

    /// Takes off what a watchdog has left that was killed before it was ready; answers what ends the command.
    package static func cleanUp(_ order: LinkOrder) -> InterfaceLinkError {
        let what = "Could not shape interface \(order.interface): its process was killed. "
        do {
            let links = try InterfaceLinks()
            let target = try links.interface(named: order.interface)
            try LinkLock.hold(target.interface.index) {
                // What another process holds is not its business.
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

    private static func pipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        let ends = try FileDescriptor.pipe()
        return (try aside(ends.readEnd), try aside(ends.writeEnd))
    }

    /// Where a standard stream was closed, an end of a pipe would have its number, and be written to as if it were one.
    private static func aside(_ end: FileDescriptor) throws -> FileDescriptor {
        let number = fcntl(end.rawValue, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let error = Errno(rawValue: errno)
        try end.close()
        guard number >= 0 else { throw error }
        return FileDescriptor(rawValue: number)
    }

    /// Starts this very program in a session of its own, with the terminal's standard error until it is ready.
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
            // What it opens would get the number else, and be closed where it leaves the terminal.
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
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process = Int32()
        let error = unsafe posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, environ)
        guard error == 0 else {
            throw InterfaceLinkError(
                .others,
                "Could not start the process that holds a shape: \(Errno(rawValue: error)). "
                    + "Check the memory and the processes of this machine.")
        }
        return process
    }

    /// Has the watchdog get no descriptor of the caller's: a lock or a pipe of his would be held for as long as the shape.
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
