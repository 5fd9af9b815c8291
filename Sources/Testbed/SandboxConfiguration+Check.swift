extension SandboxConfiguration {
    /// Throws `SandboxError.configuration` if a value is not possible, before anything is made.
    func check() throws(SandboxError) {
        let problem: String? =
            switch true {
            case !(68...65535).contains(mtu): "an MTU of \(mtu) bytes is not possible: use 68 to 65535"
            case !(1...1_000_000).contains(queueLength):
                "a TUN queue of \(queueLength) packets is not possible: use 1 to 1000000"
            case !(1...1_000_000).contains(initialWindow):
                "an initial window of \(initialWindow) segments is not possible: use 1 to 1000000"
            case congestionControl.isEmpty || congestionControl.utf8.count > 15 || congestionControl.utf8.contains(0):
                "there is no congestion control '\(congestionControl)': its name has 1 to 15 bytes"
            case !receiveBuffers.isSound: "receive buffers must be positive, and each at least the one before"
            case !sendBuffers.isSound: "send buffers must be positive, and each at least the one before"
            case !(scratchSize ?? 1 > 0): "a scratch directory of \(scratchSize ?? 0) bytes is not possible"
            case !(storageSize ?? 1 > 0): "a device storage of \(storageSize ?? 0) bytes is not possible"
            default:
                (names + resolved.keys.sorted()).first { !Self.isName($0) }.map { "'\($0)' is not a DNS name" }
                    ?? resolved.first { !Self.isWord($0.key + $0.value) }.map {
                        "'\($0.key)' is not allowed in hosts(5)"
                    }
            }
        if let problem { throw .configuration(problem) }
    }

    /// Whether the text can be one word of a line of hosts(5).
    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// Whether the text is a name by RFC 1035: labels of 1 to 63 bytes, at most 253 with their dots.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 253
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                (1...63).contains($0.count)
            }
    }
}

extension SandboxConfiguration.Buffers {
    fileprivate var isSound: Bool { least > 0 && least <= initial && initial <= largest && largest <= Int(Int32.max) }
}
