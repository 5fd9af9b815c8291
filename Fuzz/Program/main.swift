import Glibc

/// libFuzzer's own main function (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ target: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The target that `HEADWIND_FUZZ_TARGET` names, and the longest time of an input.
private enum Session {
    static let target: FuzzTarget = {
        let name = getenv("HEADWIND_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
            fatalError("HEADWIND_FUZZ_TARGET is '\(name)', and is one of: \(names)")
        }
        return target
    }()

    /// The longest time of an input, in nanoseconds of processor time.
    ///
    /// Other work on the machine does not count.
    nonisolated(unsafe) static var longest: UInt64 = 0
    private static let most: UInt64 = 1_000_000_000

    static func run(_ bytes: [UInt8]) {
        let start = processorTime()
        do { try target.body(bytes) } catch { fatalError("finding: \(error)") }
        let time = processorTime() - start
        longest = max(longest, time)
        guard time <= most else { fatalError("finding: an input takes \(time / 1_000_000) ms, and 1000 are the most") }
    }

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

atexit {
    let line = "stat::longest_input_us:          \(Session.longest / 1000)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
}
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = Session.target
exit(
    runDriver(&count, &arguments) { start, count in
        Session.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    })
