import Glibc
import LinuxSupport
import SystemPackage
import Testing

struct RunningProgramTests {
    @Test func `its path names the file that runs`() throws {
        var (named, linked) = (stat(), stat())
        #expect(stat(try RunningProgram.path.string, &named) == 0)
        #expect(stat(RunningProgram.link.string, &linked) == 0)
        #expect(named.st_ino == linked.st_ino && named.st_dev == linked.st_dev)
    }

    /// The other programs are beside it in a build tree, and in `libexec/headwind` when installed.
    @Test func `the programs that it starts are where it is, or in libexec`() {
        let root = FilePath("/tmp/headwind-companions-\(getpid())")
        mkdir(root.string, 0o700)
        let folders = ["bin", "release", "libexec", "libexec/headwind"].map { root.appending($0) }
        defer { for folder in folders.reversed() + [root] { rmdir(folder.string) } }
        mkdir(folders[0].string, 0o700)
        mkdir(folders[1].string, 0o700)
        #expect(RunningProgram.companions(of: root.appending("bin/headwind")) == folders[0])
        mkdir(folders[2].string, 0o700)
        mkdir(folders[3].string, 0o700)
        #expect(RunningProgram.companions(of: root.appending("bin/headwind")) == folders[3])
        #expect(RunningProgram.companions(of: root.appending("release/headwind")) == folders[1])
        #expect(RunningProgram.companions(of: folders[3].appending("headwind-client")) == folders[3])
    }

    @Test func `the clock is that of clock_gettime(2), and goes forward`() {
        var time = timespec()
        let before = MonotonicClock.now
        #expect(clock_gettime(CLOCK_MONOTONIC, &time) == 0)
        let between = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #expect(before <= between && between <= MonotonicClock.now)
    }
}
