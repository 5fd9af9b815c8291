import CNetlink

/// A kind of queue, with its parameters.
package enum QueueDiscipline: Hashable, Sendable {
    case netem(Netem)
    /// `tbf`, see tc-tbf(8).
    case tokenBucket(TokenBucket)
    /// `htb`, see tc-htb(8); packets that no filter matches go to the class with the minor number `defaultMinor`.
    case hierarchy(defaultMinor: UInt16)
    /// `pfifo`; nil: as many packets as the interface's queue length; 0: every packet is dropped.
    case packetFIFO(packets: UInt32?)
    /// `bfifo`.
    case byteFIFO(bytes: UInt32)
    /// `ingress`: applies filters to incoming packets.
    case ingress

    /// The kernel's name for it.
    package var kind: String {
        switch self {
        case .netem: "netem"
        case .tokenBucket: "tbf"
        case .hierarchy: "htb"
        case .packetFIFO: "pfifo"
        case .byteFIFO: "bfifo"
        case .ingress: "ingress"
        }
    }

    /// The part of the kernel that it needs; nil for the two FIFOs, which every kernel with queues has.
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
        }
    }

    /// `struct tc_htb_glob`.
    private static func hierarchy(defaultMinor: UInt16) -> [UInt8] {
        let version: UInt32 = 3
        let quantumDivisor: UInt32 = 10
        return [UInt8](native: [version, quantumDivisor, UInt32(defaultMinor), 0, 0])
    }
}

/// The parameters of `tbf`: a rate, and how much may be sent at once after a pause.
///
/// There is no second bucket for a peak rate.
package struct TokenBucket: Hashable, Sendable {
    package var rate: ByteRate
    /// Bytes that may pass at once; no packet can be longer.
    package var burst: UInt32
    /// The size of its FIFO in bytes; in packets if that FIFO was replaced by one that counts packets.
    package var limit: UInt32

    package init(rate: ByteRate, burst: UInt32, limit: UInt32) {
        (self.rate, self.burst, self.limit) = (rate, burst, limit)
    }

    func addOptions(to attributes: inout NetlinkAttributes) {
        // struct tc_tbf_qopt
        var parameters = rate.specification
        parameters += [UInt8](repeating: 0, count: ByteRate.specificationSize)
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        for field in [limit, buffer, 0] { parameters.append(native: field) }
        attributes.add(Int(TCA_TBF_PARMS), parameters)
        if let long = rate.long { attributes.add(Int(TCA_TBF_RATE64), long) }
        // In bytes, whatever a tick is; since Linux 3.13.
        attributes.add(Int(TCA_TBF_BURST), burst)
    }
}

extension QueueDiscipline {
    /// The differences of the parameters that the kernel reports from these; `name` is the queue's.
    func differences(from options: ReceivedBytes, of name: String) -> [Difference] {
        switch self {
        case .netem(let netem): netem.differences(from: options, of: name)
        case .tokenBucket(let bucket): bucket.differences(from: ReceivedAttributes(options), of: name)
        case .hierarchy(let minor):
            Difference.between(
                "the default class of \(name)", UInt32(minor),
                ReceivedAttributes(options)[Int(TCA_HTB_INIT)]?.integer(at: 8))
        case .packetFIFO(let limit?), .byteFIFO(let limit):
            Difference.between("the limit of \(name)", limit, options.integer())
        case .packetFIFO(nil), .ingress: []
        }
    }

    /// The parameters in the notation of tc(8).
    var parameters: String {
        switch self {
        case .netem(let netem): netem.parameters
        case .tokenBucket(let bucket): " rate \(bucket.rate) burst \(bucket.burst)b limit \(bucket.limit)"
        case .hierarchy(let minor): " default 0x\(String(minor, radix: 16))"
        case .packetFIFO(let packets): packets.map { " limit \($0)p" } ?? ""
        case .byteFIFO(let bytes): " limit \(bytes)b"
        case .ingress: ""
        }
    }
}

extension TokenBucket {
    fileprivate func differences(from options: ReceivedAttributes, of name: String) -> [Difference] {
        let parameters = options[Int(TCA_TBF_PARMS)]
        let size = ByteRate.specificationSize
        let limitOffset = 2 * size
        let peak = ByteRate.read(parameters?.dropFirst(size), long: options[Int(TCA_TBF_PRATE64)])
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        return Difference.between(
            "the rate of \(name)", rate.bytesPerSecond, ByteRate.read(parameters, long: options[Int(TCA_TBF_RATE64)]))
            + Difference.between("the limit of \(name)", limit, parameters?.integer(at: limitOffset))
            + Difference.between("the burst of \(name)", ticks: buffer, parameters?.integer(at: limitOffset + 4))
            + Difference.between("the peak rate of \(name)", 0, peak)
            + Difference.between(
                "the largest packet of \(name)", 0, parameters?.integer(at: limitOffset + 8, as: UInt32.self))
    }
}
