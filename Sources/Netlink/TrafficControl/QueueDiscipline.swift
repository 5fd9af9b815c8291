import CNetlink

/// A kind of queue, with its parameters.
package enum QueueDiscipline: Hashable, Sendable {
    case netem(Netem)
    /// `tbf`, see tc-tbf(8).
    case tokenBucket(TokenBucket)
    /// `htb`, see tc-htb(8); what no filter sends elsewhere goes to the class with the number `defaultMinor`.
    case hierarchy(defaultMinor: UInt16)
    /// `pfifo`; nil: as many as the interface's queue length. With 0 every packet is dropped.
    case packetFIFO(packets: UInt32?)
    /// `bfifo`.
    case byteFIFO(bytes: UInt32)
    /// `fq`, see tc-fq(8).
    case fairQueue(FairQueue)
    /// `ingress`: has filters look at what comes in.
    case ingress

    /// What the kernel calls it.
    package var kind: String {
        switch self {
        case .netem: "netem"
        case .tokenBucket: "tbf"
        case .hierarchy: "htb"
        case .packetFIFO: "pfifo"
        case .byteFIFO: "bfifo"
        case .fairQueue: "fq"
        case .ingress: "ingress"
        }
    }

    /// What of the kernel it needs; the two FIFOs are in every kernel that has queues.
    package var part: RequestPurpose.Part? {
        switch self {
        case .packetFIFO, .byteFIFO: nil
        default:
            RequestPurpose.Part(
                lack: "no \(kind) queue discipline", module: "sch_\(kind)",
                option: "CONFIG_NET_SCH_\(kind.uppercased())")
        }
    }

    func addOptions(to attributes: inout NetlinkAttributes) {
        switch self {
        case .netem(let netem): attributes.add(Int(TCA_OPTIONS), netem.options)
        case .tokenBucket(let bucket): attributes.nest(Int(TCA_OPTIONS)) { bucket.addOptions(to: &$0) }
        case .hierarchy(let minor):
            attributes.nest(Int(TCA_OPTIONS)) { $0.add(Int(TCA_HTB_INIT), Self.hierarchy(defaultMinor: minor)) }
        case .packetFIFO(nil), .ingress: break
        case .packetFIFO(let limit?), .byteFIFO(let limit): attributes.add(Int(TCA_OPTIONS), limit)
        case .fairQueue(let queue): attributes.nest(Int(TCA_OPTIONS)) { queue.addOptions(to: &$0) }
        }
    }

    /// `struct tc_htb_glob`.
    private static func hierarchy(defaultMinor: UInt16) -> [UInt8] {
        let version: UInt32 = 3
        let quantumDivisor: UInt32 = 10
        var bytes: [UInt8] = []
        for field in [version, quantumDivisor, UInt32(defaultMinor), 0, 0] { bytes.append(native: field) }
        return bytes
    }
}
