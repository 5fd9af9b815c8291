import Glibc
import LinuxSupport
import Testing

@Suite(.serialized)
struct ResourceNeedsTests {
    @Test func smallNeedsAreMet() throws {
        try ResourceNeeds().check(for: "Nothing")
        try (ResourceNeeds.eventLoop * 4 + ResourceNeeds(addressSpace: 1 << 20)).check(for: "This test")
    }

    @Test func tooMuchAddressSpaceIsRefused() throws {
        let shortage = try #require(throws: ResourceShortage.self) {
            try ResourceNeeds(addressSpace: 1 << 50).check(for: "This test", hint: "give less")
        }
        #expect(shortage.kind == .addressSpace && shortage.needed == 1 << 50)
        #expect(shortage.description.hasPrefix("This test needs 1073741824 MiB more of address space, but there are "))
        #expect(shortage.description.hasSuffix(", or give less."))
    }

    /// Needs as many as the hard limit of this process, in addition to those that are open.
    @Test func tooManyDescriptorsAreRefused() throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        try #require(limit.rlim_max <= 1 << 20, "it would take too long")
        let most = Int(limit.rlim_max)
        let shortage = try #require(throws: ResourceShortage.self) {
            try ResourceNeeds(descriptors: most).check(for: "This test")
        }
        #expect(shortage.kind == .descriptors && shortage.needed == most && shortage.available < most)
        #expect(shortage.available > most / 2, "none stays open")
        #expect(shortage.limit == most)
        #expect(shortage.description.contains("'ulimit -n \(most + most - shortage.available)'"), "\(shortage)")
    }
}
