import CTestbed
import SystemPackage
import Testing

extension TestbedTests {
    /// Machines that do not allow sandboxes, each imitated by real restrictions: the message has the cause and a
    /// remedy.
    @Suite struct RefusalTests {
        struct Machine: CustomTestStringConvertible {
            let confinement: [String]
            let kind: String
            let words: [String]

            var testDescription: String { confinement.joined(separator: " ") }
        }

        static let nobody = User.nobody.confinement

        @Test(arguments: [
            Machine(
                confinement: nobody + ["--no-user-namespaces"], kind: "namespace-limit",
                words: [
                    "not a full disk", "/proc/sys/user/max_user_namespaces", "limits namespaces to 0",
                    "sysctl user.max",
                ]),
            Machine(
                confinement: ["--no-user-namespaces"], kind: "namespace-limit",
                words: ["not a full disk", "/proc/sys/user/max_user_namespaces"]),
            Machine(
                confinement: nobody + ["--filter", "clone"], kind: "seccomp",
                words: ["seccomp filter", "Operation not permitted", "--security-opt seccomp=unconfined"]),
            // Ubuntu 24.04 allows the namespace, and takes its privileges away.
            Machine(
                confinement: ["--tun", "666", "--apparmor", "--user", "65534", "--filter", "tun"], kind: "apparmor",
                words: ["AppArmor", "kernel.apparmor_restrict_unprivileged_userns=0"]),
            Machine(
                confinement: ["--tun", "absent"], kind: "no-tun",
                words: ["there is no /dev/net/tun", "modprobe tun", "--device /dev/net/tun"]),
            Machine(
                confinement: ["--tun", "600", "--user", "65534"], kind: "tun-mode",
                words: ["mode is 0600", "chmod 0666 /dev/net/tun", "udev rule"]),
            Machine(
                confinement: ["--filter", "tun"], kind: "no-cap-net-admin",
                words: ["CAP_NET_ADMIN", "make a TUN interface", "dmesg"]),
        ])
        func namesCauseAndRemedy(machine: Machine) async throws {
            let answer = try await trial(["probe"], confinement: machine.confinement)
            #expect(answer.status == .exited(0))
            #expect(answer.lines.first == "refused \(machine.kind)")
            for word in machine.words { #expect(answer.output.contains(word)) }
        }

        /// If a sandbox's programs lose their capabilities, the message says so, instead of reporting the first failed
        /// call.
        @Test func seesThatCapabilitiesAreMissing() async throws {
            try await withCapabilityOfItsOwn(program("headwind-sandbox")) { copy in
                let answer = try await trial(["probe", "--sandbox", copy], confinement: User.nobody.confinement)
                #expect(answer.lines.first == "refused no-cap-net-admin")
                #expect(answer.output.contains("administer its networks") && answer.output.contains("setcap -r"))
            }
        }

        /// A sandbox that ends before it has its maps has said why; that its maps cannot be written is no cause.
        @Test func saysWhyASandboxEndedAtOnce() async throws {
            let confinement = ["--forbid", "/dev/null"] + User.nobody.confinement
            let answer = try await trial(["run", "--", "true"], confinement: confinement)
            #expect(answer.output.contains("take over its descriptors"), "\(answer.output)")
            #expect(answer.output.contains("Permission denied"), "\(answer.output)")
        }

        @Test(arguments: User.allCases)
        func worksWithoutProc(user: User) async throws {
            let confinement = ["--cover", "/proc/interrupts"] + user.confinement
            let answer = try await trial(["probe"], confinement: confinement)
            #expect(answer.lines.first == "available masked-proc")
            #expect(answer.output.contains("systempaths=unconfined"))
            let inside = try await trial(["run", "--", "ping", "-c1", "127.0.0.1"], confinement: confinement)
            #expect(inside.status == .exited(0))
        }

        @Test func worksWithoutClone3() async throws {
            let answer = try await trial(["probe"], confinement: User.nobody.confinement + ["--filter", "clone3"])
            #expect(answer.output == "available \n")
        }

        /// The process may have been started with SIGCHLD ignored: then the kernel reports no exit status of its
        /// children.
        @Test func worksWithoutTheStatusOfChildren() async throws {
            let answer = try await run(
                "/bin/sh", ["-c", "trap '' CHLD; exec \"$0\" figures --count 2", program("testbed-trial").string])
            #expect(answer.status == .exited(0))
        }

        @Test(arguments: User.allCases)
        func allowsSandboxesHere(user: User) async throws {
            #expect(try await trial(["probe"], confinement: user.confinement).output == "available \n")
        }
    }
}

/// A copy of a program with one file capability, which makes it lose the capabilities that it would inherit.
private func withCapabilityOfItsOwn(_ program: FilePath, _ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
        let copy = directory.appending("copy").string
        #expect(try await run("/bin/cp", [program.string, copy]).status == .exited(0))
        try #require(testbed_give_capability(copy) == 0)
        try await body(copy)
    }
}
