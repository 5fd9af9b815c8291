import Testing

@testable import KernelLink

/// Which interfaces packets pass, and whether a VLAN tag precedes the header that filters look at.
struct InterfaceTiesTests {
    private static let ties = [
        InterfaceTies(index: 1, name: "eth0"), InterfaceTies(index: 2, name: "eth0.5", isVLAN: true, lower: 1),
        InterfaceTies(index: 3, name: "over0", lower: 2), InterfaceTies(index: 4, name: "hub0"),
        InterfaceTies(index: 5, name: "port0", master: 4),
        InterfaceTies(index: 6, name: "port0.7", isVLAN: true, lower: 5),
        InterfaceTies(index: 7, name: "over1", lower: 1), InterfaceTies(index: 8, name: "alone"),
        InterfaceTies(index: 9, name: "loop", lower: 10), InterfaceTies(index: 10, name: "loop1", lower: 9),
    ]

    @Test(
        arguments: [
            ([1], 1, InterfaceLinks.Passage.plain), ([2], 1, .tagged("eth0.5")), ([3], 1, .tagged("eth0.5")),
            ([2], 2, .plain), ([4], 5, .plain), ([6], 5, .tagged("port0.7")), ([7], 1, .plain), ([8], 1, nil),
            ([7, 2], 1, .tagged("eth0.5")), ([], 1, nil), ([9], 10, .plain), ([9], 1, nil), ([1], 2, nil),
        ] as [(Set<UInt32>, UInt32, InterfaceLinks.Passage?)])
    func passages(from: Set<UInt32>, to: UInt32, wanted: InterfaceLinks.Passage?) {
        #expect(InterfaceTies.passage(from: from, to: to, among: Self.ties) == wanted)
        #expect(InterfaceTies.passage(from: from, to: to, among: Self.ties.reversed()) == wanted)
    }
}
