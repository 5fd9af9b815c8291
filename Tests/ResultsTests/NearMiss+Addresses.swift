import Results

extension NearMiss {
    /// The use of a host's addresses.
    static let addresses = passing + swift + both

    private static let passing: [NearMiss] = [
        // The other address leads to a busy host.
        NearMiss(.ignoresOtherAddresses, .pauses) {
            $0.conduct?.addresses = [.v4(.reachable, [0.4, 1.4]), .v6(.refused, [0.1, 1.1])]
            $0.fetch([.part(1, bytes: 24, status: 503, at: 0.5), .part(2, bytes: 24, status: 503, at: 1.5)])
            $0.end(.error, at: 2.5, code: -1011)
        },
        NearMiss(.ignoresOtherAddresses, .ranges, isCommand: true) {
            $0.conduct?.addresses = [.v4(.reachable, [0.4, 0.4, 0.4]), .v6(.silent, [0.1, 0.1, 0.1])]
            $0.fetch(.parallel)
            $0.end(.available)
        },
        // The client has no address of the other family, as it never looked one up.
        NearMiss(.ignoresOtherAddresses, .read, isCommand: true) {
            $0.conduct?.addresses = [.v4(.reachable, lookups: 0), .v6(.refused, [0.1])]
            $0.end(.error, at: 0.2, code: 7)
        },
        NearMiss(.ignoresOtherAddresses, .daemon) {
            $0.conduct?.addresses = [.v4(.refused, [0.1]), .v6(.refused, [0.2])]
            $0.end(.error, at: 0.4, code: -1004)
        },
    ]

    private static let swift: [NearMiss] = [
        NearMiss(.waitsOnDeadAddress, .pauses, expect: "available within 1 s") {
            $0.conduct?.addresses = [.v4(.reachable, [0.4]), .v6(.silent, [0.1])]
            $0.fetch([.part(1, bytes: 24, status: 503, at: 0.5), .part(2, at: 1.5)])
            $0.end(.available, at: 2.1)
        },
        NearMiss(.waitsOnDeadAddress, .ranges, isCommand: true) {
            $0.conduct?.addresses = [.v4(.reachable, [1, 1, 1]), .v6(.silent, [0.1, 0.1, 0.1])]
            $0.fetch(.parallel)
            $0.end(.available)
        },
        // The lookup is slow, not the choice of an address.
        NearMiss(.waitsOnDeadAddress, .read, isCommand: true, expect: "available within 3 s") {
            $0.conduct?.addresses = [.v4(.reachable, [3.3]), .v6(.silent, [3])]
            $0.fetch([.part(1, at: 3.4)])
            $0.end(.available)
        },
    ]

    private static let both: [NearMiss] = [
        NearMiss(.needsIPv4, .pauses) {
            $0.conduct?.addresses = [.v4(nil), .v6(.reachable, [0.1, 1.1])]
            $0.fetch([.part(1, bytes: 24, status: 503, at: 0.2), .part(2, bytes: 24, status: 503, at: 1.2)])
            $0.end(.error, at: 2.5, code: -1011)
        },
        // IPv4 suffices here.
        NearMiss(.needsIPv4, .ranges, isCommand: true) {
            $0.conduct?.addresses = [.v4(.reachable, [0.1, 0.1, 0.1]), .v6(.silent, lookups: 0)]
            $0.fetch(.parallel)
            $0.end(.available)
        },
        // The lookups could not be read.
        NearMiss(.needsIPv4, .daemon) {
            $0.conduct?.addresses = [.v4(nil, lookups: nil), .v6(.reachable, lookups: nil)]
            $0.end(.error, at: 0.2, code: -1003)
        },
        // The client asked, and left before the answer.
        NearMiss(.needsIPv4, .read, isCommand: true) {
            $0.conduct?.addresses = [.v4(nil), .v6(.reachable)]
            $0.end(.error, at: 0.2, code: 6)
        },
    ]
}
