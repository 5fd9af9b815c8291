import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    @Suite struct FileTests {
        /// The mounts of a sandbox do not change the machine's own files.
        @Test(arguments: User.allCases)
        func replacesNameServiceFilesForItselfOnly(user: User) async throws {
            let paths = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"]
            let before = paths.map(contents)
            let mounts = contents(of: "/proc/self/mountinfo")
            let answer = try await script(
                "grep nameserver /etc/resolv.conf; grep -c . /etc/hosts; grep hosts: /etc/nsswitch.conf; "
                    + "getent passwd root | cut -d : -f 1; echo x 2> /dev/null > /etc/hosts && echo written",
                as: user)
            #expect(answer.lines.first == "nameserver 10.77.1.2")
            #expect(answer.lines.dropFirst(2) == ["hosts: files dns", "root", "written"])
            #expect(paths.map(contents) == before)
            #expect(contents(of: "/proc/self/mountinfo") == mounts)
        }

        @Test func hasAScratchDirectoryThatBothSidesSee() async throws {
            try await withSandbox { sandbox in
                let status = try await sandbox.spawn(shell("umask; echo inside > \(sandbox.scratch.inside)/file"))
                    .wait()
                    .status
                #expect(status == .exited(0))
                let file = sandbox.scratch.outside.appending("file")
                #expect(contents(of: file.string) == "inside\n")
                let written = try FileDescriptor.open(
                    sandbox.scratch.outside.appending("other"), .writeOnly, options: .create,
                    permissions: .ownerReadWrite)
                try written.closeAfter { _ = try written.writeAll("outside\n".utf8) }
                let read = try await output(of: "cat \(sandbox.scratch.inside)/other", in: sandbox)
                #expect(read == "outside\n")
                #expect(target(of: sandbox.scratch.outside.string) != nil)
                #expect(sandbox.storage == nil)
            }
        }

        /// A full device reports it, like a real one; files outside its storage can still be written.
        @Test(arguments: User.allCases)
        func hasADeviceThatFills(user: User) async throws {
            let answer = try await script(
                """
                cd /dev/shm/headwind-device
                head -c 1048576 /dev/zero > whole || echo no room for the whole
                dd if=/dev/zero of=more bs=4096 count=1 2>&1 | grep -o 'No space left on device'
                rm whole; echo again > more && cat more
                head -c 2097152 /dev/zero > ../headwind/elsewhere && echo room elsewhere
                """, in: ["--storage", "1048576"], as: user)
            #expect(answer.lines == ["No space left on device", "again", "room elsewhere"])
        }

        /// The room comes back when the file that holds it is closed; no program in the sandbox sees the file.
        @Test(arguments: User.allCases)
        func fillsADevice(user: User) async throws {
            var configuration = SandboxConfiguration()
            configuration.storageSize = 1 << 20
            try await withSandbox(configuration) { sandbox in
                let storage = try #require(sandbox.storage)
                let write = "cd \(storage.inside); echo text 2>/dev/null > file && cat file || echo full; ls -A"
                let filler = try storage.fill()
                #expect(try await output(of: write, in: sandbox) == "full\nfile\n")
                try filler.close()
                #expect(try await output(of: write, in: sandbox) == "text\nfile\n")
            }
        }

        @Test("a program that takes room, and gives it back, does not keep a device from being filled")
        func fillsADeviceBesideAWriter() async throws {
            var configuration = SandboxConfiguration()
            configuration.storageSize = 1 << 20
            try await withSandbox(configuration) { sandbox in
                let storage = try #require(sandbox.storage)
                _ = try await sandbox.spawn(
                    shell("cd \(storage.inside); while :; do head -c 300000 /dev/zero > a; : > a; done 2>/dev/null"))
                for _ in 0..<2000 { try storage.fill().close() }
            }
        }

        @Test func boundsTheScratchDirectory() async throws {
            let answer = try await script(
                "head -c 2000000 /dev/zero 2> /dev/null > /dev/shm/headwind/large || echo full",
                in: ["--scratch", "1048576"])
            #expect(answer.output == "full\n")
        }

        /// A program sees only its sandbox's processes, and its shared memory is its own.
        @Test(arguments: User.allCases)
        func hasProcessesAndMemoryOfItsOwn(user: User) async throws {
            let answer = try await script(
                "cat /proc/1/comm; set -- /proc/[0-9]*; echo $#; ls /dev/shm | wc -l; ipcs -m | grep -c 0x", as: user)
            #expect(answer.lines.first == "headwind-init")
            // init, headwind-sandbox and sh, which lists the folder itself.
            #expect(answer.lines.dropFirst().first == "3")
            #expect(answer.lines.dropFirst(2) == ["1", "0"])
        }
    }
}

/// A command that runs a script in the shell.
func shell(_ script: String) -> SandboxCommand {
    SandboxCommand(["sh", "-c", script], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"])
}

/// Runs a script in a sandbox, and returns its output.
func output(of script: String, in sandbox: Sandbox, _ namespace: SandboxNamespace = .client) async throws -> String {
    let pipe = try FileDescriptor.pipe()
    defer { try? pipe.readEnd.close() }
    var command = shell(script)
    command.descriptors = [(pipe.writeEnd, STDOUT_FILENO), (.standardError, STDERR_FILENO)]
    command.namespace = namespace
    let process: SandboxProcess
    do {
        defer { try? pipe.writeEnd.close() }
        process = try await sandbox.spawn(command)
    }
    let text = try all(pipe.readEnd)
    _ = try await process.wait()
    return text
}
