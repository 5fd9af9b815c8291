import SandboxMessages

extension SandboxConfiguration {
    /// What the sandbox is told.
    var request: SandboxRequest.Configure {
        SandboxRequest.Configure(
            mtu: mtu, queueLength: queueLength, congestionControl: congestionControl, initialWindow: initialWindow,
            receiveBuffers: receiveBuffers.values, sendBuffers: sendBuffers.values, names: names,
            hasIPv6Names: hasIPv6Names, outside: isOpen ? SandboxAddresses.outside : nil, scratchSize: scratchSize,
            storageSize: storageSize, link: link == .packets ? nil : link)
    }
}

extension SandboxConfiguration.Buffers {
    fileprivate var values: [Int] { [least, initial, largest] }
}
