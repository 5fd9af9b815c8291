import CNetlink

extension InstalledTraffic {
    /// What it takes to make a queue again that the kernel has told of.
    package struct Memory: Hashable, Sendable {
        package var kind: String
        package var handle: TrafficHandle
        /// As the kernel told them.
        package var options: [UInt8]

        package init(kind: String, handle: TrafficHandle, options: [UInt8]) {
            (self.kind, self.handle, self.options) = (kind, handle, options)
        }

        /// The request to make it at the root of an interface where nothing is.
        package func restoration(on interface: NetworkInterface) -> RouteMessage {
            let purpose = RequestPurpose("put the \(kind) queue \(handle) back at root of interface \(interface)")
            let header = trafficHeader(interface, handle: handle, parent: .root)
            return RouteMessage(RTM_NEWQDISC, flags: NLM_F_CREATE | NLM_F_EXCL, header: header, for: purpose) {
                $0.add(Int(TCA_KIND), kind)
                if !options.isEmpty { $0.add(Int(TCA_OPTIONS), options) }
            }
        }
    }

    package var memory: Memory { Memory(kind: kind, handle: handle, options: options.array) }
}
