import Foundation
import Glibc
import SystemPackage
import Testing

@Suite(.sideBySide, .timeLimit(.minutes(1)))
struct SetupTests {
    @Test func saysNothingWhenNothingIsMissing() async throws {
        try await Fixture.with { fixture in
            for arguments in [[], ["--check"], ["--for", "build"], ["--for=test", "--check"]] {
                let answer = try await fixture.run("Scripts/setup", arguments)
                #expect(answer.status == 0 && answer.output.isEmpty && answer.errors.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("git", "git", true), ("curl", "curl", false), ("wget", "wget", false), ("aria2c", "aria2", false),
        ("unzip", "unzip", false), ("tshark", "tshark", false),
    ])
    func namesAMissingProgramAndWhatItIsFor(program: String, package: String, isForBuild: Bool) async throws {
        try await Fixture.with { fixture in
            try fixture.remove(program)
            let all = try await fixture.run("Scripts/setup", ["--check"])
            #expect(all.status == 69)
            let lines = all.errors.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "setup: missing:")
            #expect(lines[1].hasPrefix("  \(package) ") && lines[1].count > 30)
            let build = try await fixture.run("Scripts/setup", ["--check", "--for", "build"])
            #expect(build.status == (isForBuild ? 69 : 0))
        }
    }

    /// Only Debian has the kernel, and only for x86: elsewhere it cannot be installed.
    @Test(arguments: ["x86_64", "aarch64"])
    func asksForAKernelOnlyWhereItExists(machine: String) async throws {
        try await Fixture.with { fixture in
            try fixture.remove("linux.uml")
            // Without this, the script would be written through the link to the machine's own program.
            try fixture.remove("uname")
            try fixture.add("uname", "echo \(machine)")
            let answer = try await fixture.run("Scripts/setup", ["--check"])
            let release = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
            let isDebian = release.split(separator: "\n").contains("ID=debian")
            #expect(answer.status == (isDebian && machine == "x86_64" ? 69 : 0), "\(answer.errors)")
            #expect(answer.errors.contains("  user-mode-linux ") == (answer.status == 69))
        }
    }

    @Test func looksForLibrariesLikeTheBuild() async throws {
        try await Fixture.with { fixture in
            try fixture.add("pkg-config", "[[ $2 != libarchive ]]")
            let library = try await fixture.run("Scripts/setup", ["--check", "--for", "build"])
            #expect(library.status == 69 && library.errors.contains("  libarchive-dev "))
            #expect(!library.errors.contains("libcurl"))
            try fixture.remove("pkg-config")
            let all = try await fixture.run("Scripts/setup", ["--check", "--for", "build"])
            #expect(all.errors.split(separator: "\n").count == 9)
        }
    }

    /// Packages have the system's names, and packages that the system lacks are not requested.
    @Test(arguments: [
        ("ID=debian", "apt-get update && sudo apt-get", "libarchive-dev libyaml-dev passt user-mode-linux chromium"),
        (
            "ID=mint\nID_LIKE=\"ubuntu debian\"\nUBUNTU_CODENAME=jammy", "apt-get update && sudo apt-get",
            "libarchive-dev libyaml-dev"
        ),
        (
            "ID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=noble", "apt-get update && sudo apt-get",
            "libarchive-dev libyaml-dev passt"
        ),
        ("ID=fedora", "dnf", "libarchive-devel libyaml-devel passt chromium"),
    ])
    func usesThePackageNamesOfTheSystem(system: String, installer: String, packages: String) async throws {
        try await Fixture.with { fixture in
            try fixture.setSystem(system)
            for program in ["pasta", "linux.uml", "chromium", "uname"] { try fixture.remove(program) }
            try fixture.add("uname", "echo x86_64")
            try fixture.add("pkg-config", "[[ $2 != libarchive && $2 != yaml-0.1 ]]")
            try fixture.add("dnf")
            try fixture.add("apt-get")
            let answer = try await fixture.run("Scripts/setup", asRoot: false)
            #expect(answer.status == 77)
            #expect(
                answer.errors.hasSuffix("setup: to install them: sudo \(installer) install \(packages)\n"),
                "\(answer.errors)")
        }
    }

    @Test(.needsRoot) func installsByDNF() async throws {
        try await Fixture.with { fixture in
            try fixture.setSystem("ID=fedora")
            try fixture.remove("tshark")
            let bin = fixture.checkout.removingLastComponent().appending("bin")
            try fixture.add(
                "dnf", "[[ \" $* \" == *' -y install '*' wireshark-cli '* ]] && cp '\(bin)/unzip' '\(bin)/tshark'")
            let answer = try await fixture.run("Scripts/setup")
            #expect(answer.status == 0, "\(answer.errors)")
        }
    }

    @Test(arguments: [
        ("5.10.1", 69), ("6.1.3", 69), ("6.2", 0), ("6.2.1", 0), ("6.10", 0), ("7.0", 0), ("", 69),
    ])
    func needsARecentSwift(version: String, status: Int32) async throws {
        try await Fixture.with { fixture in
            try fixture.addSwift(version: version)
            let answer = try await fixture.run("Scripts/setup", ["--check"])
            #expect(answer.status == status)
            #expect(answer.errors.contains("https://www.swift.org/install/linux/") == (status != 0))
        }
    }

    @Test func saysWhereToGetSwift() async throws {
        try await Fixture.with { fixture in
            try fixture.remove("swift")
            let sentence = "setup: Swift 6.2 or later is missing: see https://www.swift.org/install/linux/\n"
            let answer = try await fixture.run("Scripts/setup")
            #expect(answer.status == 69 && answer.errors == sentence)
            // It still lists what else is missing.
            try fixture.remove("wget")
            let list = try await fixture.run("Scripts/setup", ["--check"])
            #expect(list.status == 69 && list.errors.hasPrefix(sentence + "setup: missing:\n  wget "), "\(list.errors)")
        }
    }

    @Test(arguments: [["--for"], ["--for", "nothing"], ["--unknown"], ["build"]])
    func refusesAWrongUse(arguments: [String]) async throws {
        try await Fixture.with { fixture in
            let answer = try await fixture.run("Scripts/setup", arguments)
            #expect(answer.status == 64)
            #expect(answer.errors.hasPrefix("Scripts/setup [--check] [--for build|test|package]\n"))
        }
    }

    @Test func printsTheCommandIfItMayNotInstall() async throws {
        try await Fixture.with { fixture in
            try fixture.remove("wget")
            try fixture.remove("aria2c")
            try fixture.add("apt-get", "echo called >&2; exit 1")
            let answer = try await fixture.run("Scripts/setup", asRoot: false)
            #expect(answer.status == 77)
            #expect(
                answer.errors.hasSuffix(
                    "setup: to install them: sudo apt-get update && sudo apt-get install wget aria2\n"))
            #expect(!answer.errors.contains("called"))
        }
    }

    @Test func reportsMissingPackagesWithoutApt() async throws {
        try await Fixture.with { fixture in
            try fixture.remove("wget")
            let answer = try await fixture.run("Scripts/setup")
            #expect(answer.status == 69 && answer.errors.contains("under the names that they have on this system"))
        }
    }

    /// Package lists are fetched only if needed.
    @Test(.needsRoot, arguments: [false, true])
    func installsAsRoot(listsAreOld: Bool) async throws {
        try await Fixture.with { fixture in
            try fixture.remove("wget")
            let bin = fixture.checkout.removingLastComponent().appending("bin")
            try fixture.add(
                "apt-get",
                """
                [[ $DEBIAN_FRONTEND == noninteractive ]] || exit 9
                for word; do
                    case $word in
                        update) echo updated >&2; touch '\(bin)/../updated' ;;
                        wget) [[ -e '\(bin)/../updated' ]] || exit 100; cp '\(bin)/unzip' '\(bin)/wget' ;;
                    esac
                done
                """)
            if !listsAreOld { try fixture.write("", to: bin.removingLastComponent().appending("updated")) }
            let answer = try await fixture.run("Scripts/setup")
            #expect(answer.status == 0)
            #expect(answer.errors.contains("setup: installing wget\n"))
            #expect(answer.errors.contains("updated") == listsAreOld)
        }
    }

    @Test(.needsRoot) func reportsWhatIsStillMissing() async throws {
        try await Fixture.with { fixture in
            try fixture.remove("wget")
            try fixture.add("apt-get")
            let answer = try await fixture.run("Scripts/setup")
            #expect(answer.status == 69 && answer.errors.contains("setup: still missing after installing:\n  wget "))
        }
    }
}
