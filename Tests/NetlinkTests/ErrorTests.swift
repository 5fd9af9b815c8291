import Netlink
import SystemPackage
import Testing

/// The messages when the kernel refuses a request.
@Suite struct ErrorTests {
    private func netem(_ code: Errno, _ words: String? = nil) -> NetlinkError {
        let queue = TrafficQueue(.netem(Netem(limit: 1000)), handle: TrafficHandle(2))
        return NetlinkError(queue.message(.add, on: someInterface).purpose, code, words: words)
    }

    @Test func missingQueueDiscipline() {
        let wanted =
            "Could not add the netem queue 2: at root of interface veth7: this kernel has no netem queue discipline; "
            + "it says No such file or directory (Specified qdisc kind is unknown). "
            + "Load it with 'modprobe sch_netem', or use a kernel with CONFIG_NET_SCH_NETEM."
        #expect(netem(.noSuchFileOrDirectory, "Specified qdisc kind is unknown.").description == wanted)
        // Old kernels send no words.
        #expect(netem(.noSuchFileOrDirectory).missingPart?.module == "sch_netem")
    }

    /// The same error number for something else that is missing.
    @Test func missingQueue() {
        let error = netem(.noSuchFileOrDirectory, "Failed to find specified qdisc.")
        #expect(error.missingPart == nil)
        #expect(error.description.contains("(Failed to find specified qdisc). See 'tc qdisc'"))
    }

    @Test(
        arguments: [
            (Errno.notPermitted, nil, "Operation not permitted. This needs CAP_NET_ADMIN"),
            (.invalidArgument, "NLA_F_NESTED is missing", "Invalid argument (NLA_F_NESTED is missing). Check that"),
            (
                .fileExists, "Exclusivity flag on, cannot modify.",
                "(Exclusivity flag on, cannot modify). Something is there"
            ),
            (.operationNotSupportedByDevice, nil, "See 'ip link'"),
            (.resourceTemporarilyUnavailable, nil, "not answered for 10 s"),
        ] as [(Errno, String?, String)])
    func sentences(code: Errno, words: String?, part: String) {
        let sentence = netem(code, words).description
        #expect(sentence.hasPrefix("Could not add the netem queue 2: at root of interface veth7: "))
        #expect(sentence.contains(part) && sentence.hasSuffix("."), "\(sentence)")
    }
}
