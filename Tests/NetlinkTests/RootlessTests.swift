import Glibc
import Testing

/// The user `nobody` can do to its own networks everything that root can do.
@Suite(.needsRoot, .timeLimit(.minutes(2))) struct RootlessTests {
    /// Runs the suites that need a real kernel in this program, as uid 65534, in a user namespace or outside of a
    /// sandbox.
    @Test(arguments: [
        ("NetlinkTests.KernelTests", "unshare --user --map-root-user --net"),
        ("KernelLinkTests.KernelLinkTests", "unshare --user --map-root-user --net"),
        ("KernelLinkTests.SandboxLinkTests", ""),
    ])
    func theUserNobodyCanDoTheSame(suite: String, place: String) throws {
        let binary = try #require(target(of: "/proc/self/exe"))
        let directory = binary.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        // On some platforms a program of the toolchain runs the tests; here the test program runs them itself.
        let command = [
            "\(directory)/testbed-confine --tun 666 --user 65534 --", place, binary,
            "--testing-library swift-testing --no-parallel --filter '^\(suite)/'",
        ]
        let text = try output(command.joined(separator: " "))
        let skips = text.split(separator: "\n").filter {
            $0.contains("skipped") && !$0.contains("not on this machine: ")
        }
        #expect(text.contains(" passed after ") && skips.isEmpty, "\(text.suffix(2000))")
    }

    /// The target of a symbolic link.
    private func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
