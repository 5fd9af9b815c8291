import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    /// Programs that refuse to end, or exceed their rights: the harness neither hangs nor leaves anything.
    @Suite struct HostileTests {
        /// Runs a Python program, returns its output, and fails if any of its processes is left.
        private func python(
            _ text: String, in options: [String] = [], as user: User = .root
        ) async throws -> Answer {
            let token = "headwind-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
            let arguments = ["run", "--token", token] + options + ["--", "python3", "-c", Self.preparation + text]
            let answer = try await trial(arguments, confinement: user.confinement)
            #expect(allProcesses(bearing: token).isEmpty)
            return answer
        }

        private static let preparation = """
            import ctypes, errno, os, resource, signal, struct, sys, time
            libc = ctypes.CDLL(None, use_errno=True)
            def tries(what, act):
                ctypes.set_errno(0)
                try: result = act()
                except OSError as error: print(what, errno.errorcode[error.errno]); return
                failed = isinstance(result, int) and result < 0
                print(what, errno.errorcode[ctypes.get_errno()] if failed else "done")

            """

        /// No limit of processes binds root, so the program stops by itself.
        @Test(arguments: User.allCases)
        func forkWithoutEnd(user: User) async throws {
            let answer = try await python(
                """
                resource.setrlimit(resource.RLIMIT_NPROC, (400, 400))
                for number in range(1, 65): signal.signal(number, signal.SIG_IGN) if number not in (9, 19, 32, 33) else None
                first, end, count = os.getpid(), time.monotonic() + 1, 0
                while time.monotonic() < end and (os.getuid() != 0 or count < 8):
                    count += 1
                    try: os.fork()
                    except OSError: pass
                if os.getpid() == first: os._exit(7)
                time.sleep(600)
                """, as: user)
            #expect(answer.status == .exited(7), "\(answer.output)")
        }

        /// Processes in the program's own namespaces end too.
        @Test(arguments: User.allCases)
        func nestNamespaces(user: User) async throws {
            let answer = try await python(
                """
                new = 0x10000000 | 0x20000000 | 0x40000000 | 0x20000
                if os.fork() == 0:
                    libc.unshare(new)
                    for turn in range(3): os.fork()
                    os.setsid()
                    time.sleep(600)
                time.sleep(0.2)
                print("left behind")
                """, as: user)
            #expect(answer.output == "left behind\n")
        }

        /// headwind-sandbox runs as the same user, so the program can kill it.
        @Test(arguments: User.allCases)
        func killAllReachableProcesses(user: User) async throws {
            let answer = try await python("os.kill(-1, signal.SIGKILL); time.sleep(600)", as: user)
            #expect(answer.status == .exited(1))
            #expect(answer.output.contains("signal 9 ended its program headwind-sandbox"), "\(answer.output)")
        }

        /// A sandbox that stops responding is not awaited forever: neither for a program's end, nor for an answer.
        @Test(arguments: User.allCases)
        func stopAllReachableProcesses(user: User) async throws {
            let answer = try await python("os.kill(-1, signal.SIGSTOP)", in: ["--patience", "400"], as: user)
            #expect(answer.status == .exited(1))
            #expect(answer.output.contains("failed: A sandbox did not answer for 0.4 seconds"), "\(answer.output)")
        }

        @Test func stopTheSandboxBeforeTheNextRequest() async throws {
            var configuration = SandboxConfiguration()
            configuration.patience = .milliseconds(300)
            let use = {
                try await withSandbox(configuration) { sandbox in
                    let stopper = try await sandbox.spawn(shell("kill -STOP -1; sleep 600"))
                    while contents(of: "/proc/\(stopper.processIDOutside)/comm")?.hasPrefix("sleep") != true {
                        try await Task.sleep(for: .milliseconds(2))
                        if try await sandbox.listen(on: .host).descriptor.rawValue < 0 { break }
                    }
                    while true { try await sandbox.listen(on: .host).descriptor.close() }
                }
            }
            await #expect(throws: SandboxError.silent(.milliseconds(300))) { try await use() }
        }

        /// The first process has a descriptor of the harness, and headwind-sandbox has all privileges of the sandbox.
        @Test(arguments: User.allCases)
        func reachForTheSandboxItself(user: User) async throws {
            let answer = try await python(
                """
                for process in (1, os.getppid()):
                    for name in ("fdinfo", "map_files"):
                        tries(name, lambda: os.listdir(f"/proc/{process}/{name}"))
                    own = "fd/4" if process == 1 else "fd/3"
                    for name in ("root", "cwd", "exe", "ns/net", "ns/user", own):
                        tries(name, lambda: os.readlink(f"/proc/{process}/{name}"))
                    for name in ("mem", "environ", "root/etc/hostname", "ns/net", own):
                        tries(name, lambda: open(f"/proc/{process}/{name}").close())
                    tries("ptrace", lambda: libc.ptrace(16, process, 0, 0))
                    pidfd = libc.syscall(434, process, 0)
                    for number in (3, 4): tries("getfd", lambda: libc.syscall(438, pidfd, number, 0))
                    tries("setns", lambda: libc.setns(pidfd, 0x10000000 | 0x40000000))
                """, as: user)
            let refused = answer.lines.filter { $0.hasSuffix("EACCES") || $0.hasSuffix("EPERM") }
            #expect(refused == answer.lines && refused.count == 34, "\(answer.output)")
        }

        /// All interfaces, including the link's, belong to the harness.
        @Test(arguments: User.allCases)
        func reachForTheLink(user: User) async throws {
            let answer = try await python(
                """
                import fcntl
                for name in (b"link0", b"mine0"):
                    tun = os.open("/dev/net/tun", os.O_RDWR)
                    tries(name.decode(), lambda: fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", name, 0x1001)))
                import socket
                tries("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
                tries("packet", lambda: socket.socket(17, socket.SOCK_RAW, 3))
                tries("mount", lambda: libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, None))
                tries("umount", lambda: libc.umount2(b"/etc/resolv.conf", 2))
                tries("chroot", lambda: libc.chroot(b"/tmp"))
                """, as: user)
            #expect(
                answer.lines == [
                    "link0 EBUSY", "mine0 EPERM", "raw EPERM", "packet EPERM", "mount EPERM", "umount EPERM",
                    "chroot EPERM",
                ])
        }

        /// A client's guard reports on it, and runs as the same user.
        @Test(arguments: User.allCases)
        func reachForTheirGuard(user: User) async throws {
            let text = """
                import os
                guard = os.getppid()
                try: print(os.readlink(f"/proc/{guard}/fd/4"))
                except OSError as error: print(error.strerror)
                try: open(f"/proc/{guard}/fd/4", "w").write("forged"); print("forged")
                except OSError as error: print(error.strerror)
                """
            // The report goes to descriptor 4, here the standard output. The lifeline is a pipe that stays open.
            let answer = try await trial(
                [
                    "run", "--", "sh", "-c",
                    "life=$(mktemp -u) && mkfifo \"$life\" && exec 3<>\"$life\" && rm \"$life\" && exec \"$0\" \"$@\" 4>&1",
                    program("headwind-guard").string,
                    "--lifeline", "3", "--report", "4", "--grace", "100", "--", "python3", "-c", text,
                ], confinement: user.confinement)
            #expect(Array(answer.lines.prefix(2)) == ["Permission denied", "Permission denied"], "\(answer.output)")
        }
    }
}
