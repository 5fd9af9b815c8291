import Results

extension DiagnosisCase {
    /// What a client does about dead addresses of a host: three forms of each bug.
    static let addressed = ignoring + staying + old

    private static let ignoring: [DiagnosisCase] = [
        DiagnosisCase("gives up where it is refused", .ignoresOtherAddresses) {
            $0.conduct?.addresses = [.v4(.reachable), .v6(.refused, [0.1])]
            $0.end(.error, at: 0.2, code: -1004)
        },
        DiagnosisCase("gives up where nothing answers", .ignoresOtherAddresses, isCommand: true, isTold: false) {
            $0.conduct?.addresses = [.v4(.reachable), .v6(.silent, [0.1])]
            $0.end(.error, at: 3, code: 28)
        },
        DiagnosisCase("tries the same again and again", .ignoresOtherAddresses, isCommand: true) {
            $0.conduct?.addresses = [.v4(.refused, [0.1, 0.6, 1.6, 3.6]), .v6(.reachable)]
            $0.hang()
        },
    ]

    private static let staying: [DiagnosisCase] = [
        DiagnosisCase("waits for it alone", .waitsOnDeadAddress) {
            $0.conduct?.addresses = [.v4(.reachable), .v6(.silent, [0.1])]
            $0.hang()
        },
        DiagnosisCase("waits for the older one alone", .waitsOnDeadAddress, isCommand: true, isTold: false) {
            $0.conduct?.addresses = [.v4(.silent, [0.1]), .v6(.reachable)]
            $0.hang(after: 40)
        },
        DiagnosisCase("tries the other one late", .waitsOnDeadAddress, expect: "available within 4 s") {
            $0.conduct?.addresses = [.v4(.reachable, [3.5]), .v6(.silent, [0.1])]
            $0.fetch(.part(1, at: 3.6))
            $0.end(.available, at: 4.5)
        },
    ]

    private static let old: [DiagnosisCase] = [
        DiagnosisCase("finds no name", .needsIPv4) {
            $0.conduct?.addresses = [.v4(nil, lookups: 2), .v6(.reachable, lookups: 0)]
            $0.end(.error, at: 0.2, code: -1003)
        },
        DiagnosisCase("gives up an address that refuses", .needsIPv4, isCommand: true) {
            $0.conduct?.addresses = [.v4(.refused, [0.1]), .v6(.reachable, lookups: 0)]
            $0.end(.error, at: 0.2, code: 7)
        },
        DiagnosisCase("waits for an address that is silent", .needsIPv4, isCommand: true, isTold: false) {
            $0.conduct?.addresses = [.v4(.silent, [0.1]), .v6(.reachable, lookups: 0)]
            $0.hang(after: 40)
        },
    ]
}

extension ConductRecord.Address {
    /// The state of IPv4, with the seconds at which connections to it began.
    static func v4(_ state: State?, _ moments: [Double] = [], lookups: Int? = 1) -> Self {
        .init(.ipv4, state, lookups: lookups, connectedAt: moments)
    }

    /// The state of IPv6, likewise.
    static func v6(_ state: State?, _ moments: [Double] = [], lookups: Int? = 1) -> Self {
        .init(.ipv6, state, lookups: lookups, connectedAt: moments)
    }
}
