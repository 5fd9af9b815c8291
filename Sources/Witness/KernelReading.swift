import Glibc
import LinuxSupport
import SystemPackage

/// The kernel's clocks and load counters at one moment.
struct KernelReading: Sendable, Equatable {
    /// All processors together, in ticks since boot.
    struct Processors: Sendable, Equatable {
        var stolen: Int64
        /// Ticks without work, or waiting for a disk.
        var idle: Int64
        var total: Int64
    }

    /// CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME in nanoseconds; see clock_gettime(2).
    var monotonic: Int64
    var bootTime: Int64
    var realTime: Int64
    /// Microseconds since boot in which some task waited for a processor; `nil` if the kernel does not count them.
    var waited: Int64?
    var processors: Processors?
    /// Nanoseconds in which the present threads of this process were runnable, but waited for a processor.
    ///
    /// Each thread counts since it began; `nil` if the kernel does not count.
    var ownWait: Int64?

    /// Reads the kernel now.
    static func now() -> KernelReading {
        KernelReading(
            monotonic: clock(CLOCK_MONOTONIC), bootTime: clock(CLOCK_BOOTTIME), realTime: clock(CLOCK_REALTIME),
            waited: contents(of: "/proc/pressure/cpu").flatMap { waited(in: $0) },
            processors: contents(of: "/proc/stat").flatMap { processors(in: $0) }, ownWait: ownWait())
    }

    /// The total of the line `some` of a pressure file.
    static func waited(in text: String) -> Int64? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
            let word = line.split(separator: " ").first(where: { $0.hasPrefix("total=") })
        else { return nil }
        return Int64(word.dropFirst("total=".count))
    }

    /// The line `cpu` of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
    ///
    /// The fields that follow are part of user and nice.
    static func processors(in text: String) -> Processors? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int64($0) }
        guard ticks.count == 8 else { return nil }
        return Processors(stolen: ticks[7], idle: ticks[3] &+ ticks[4], total: ticks.reduce(0, &+))
    }

    /// The second number of a thread's schedstat: nanoseconds on a run queue.
    ///
    /// See Documentation/scheduler/sched-stats.rst in the kernel's sources.
    static func wait(in text: String) -> Int64? {
        let numbers = text.split { $0 == " " || $0 == "\n" }
        return numbers.count == 3 ? Int64(numbers[1]) : nil
    }

    private static func ownWait() -> Int64? {
        guard let directory = unsafe opendir("/proc/self/task") else { return nil }
        defer { unsafe closedir(directory) }
        var sum: Int64?
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix("."),
                let wait = contents(of: "/proc/self/task/\(name)/schedstat").flatMap(wait(in:))
            else { continue }
            sum = (sum ?? 0) &+ wait
        }
        return sum
    }

    private static func clock(_ id: clockid_t) -> Int64 {
        var time = timespec()
        // These clocks are on every Linux that Swift runs on.
        unsafe clock_gettime(id, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The beginning of a kernel file, as the lines that matter come first; `nil` if it is absent or cannot be read.
    private static func contents(of path: String) -> String? { BoundedFile.text(FilePath(path), most: 512) }
}
