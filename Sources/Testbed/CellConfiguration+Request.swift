import CellMessages

extension CellConfiguration {
    /// What the cell is told.
    var request: CellRequest.Configure {
        CellRequest.Configure(
            mtu: mtu, queueLength: queueLength, congestionControl: congestionControl, initialWindow: initialWindow,
            receiveBuffers: receiveBuffers.values, sendBuffers: sendBuffers.values, names: names,
            hasIPv6Names: hasIPv6Names, outside: isOpen ? CellAddresses.outside : nil, scratchSize: scratchSize,
            storageSize: storageSize, link: link == .packets ? nil : link)
    }
}

extension CellConfiguration.Buffers {
    fileprivate var values: [Int] { [least, initial, largest] }
}
