package import LinkModel

extension Profile {
    /// Rates above which the kernel's queues are better than a loop that moves packets.
    package static let fastestForPackets = BitRate(bitsPerSecond: 500_000_000)

    /// Whether it has such a rate at some time.
    package var isFast: Bool {
        ([conditions] + changes.map(\.conditions)).contains { conditions in
            Direction.allCases.contains {
                (conditions[$0].rate?.bitsPerSecond ?? 0) > Self.fastestForPackets.bitsPerSecond
            }
        }
    }
}
