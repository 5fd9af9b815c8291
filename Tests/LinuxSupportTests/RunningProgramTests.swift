import Glibc
import LinuxSupport
import Testing

struct RunningProgramTests {
    @Test func `its path names the file that runs`() throws {
        var (named, linked) = (stat(), stat())
        #expect(stat(try RunningProgram.path.string, &named) == 0)
        #expect(stat(RunningProgram.link.string, &linked) == 0)
        #expect(named.st_ino == linked.st_ino && named.st_dev == linked.st_dev)
    }

    @Test func `the clock is that of clock_gettime(2), and goes forward`() {
        var time = timespec()
        let before = MonotonicClock.now
        #expect(clock_gettime(CLOCK_MONOTONIC, &time) == 0)
        let between = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #expect(before <= between && between <= MonotonicClock.now)
    }
}
