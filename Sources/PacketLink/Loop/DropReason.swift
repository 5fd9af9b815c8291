internal import LinkModel

/// Why a packet did not come through.
enum DropReason {
    case loss
    case cut
    case queue
    case offline(OfflineKind)
    case overflow
    case tooBig
    case device(Int32)

    /// Names the rule and the reason, for a capture.
    func comment(_ line: String?) -> String {
        switch self {
        case .loss: "dropped: rule loss\(line.map { ", \($0)" } ?? "")"
        case .cut: "dropped: rule cut\(line.map { ", \($0)" } ?? "")"
        case .queue: "dropped: rule queue, no room in front of the rate"
        case .offline(let kind): "dropped: rule offline, \(kind.rawValue)"
        case .overflow: "dropped: rule memory, the link has no room for more packets"
        case .tooBig: "dropped: rule mtu, larger than the link's MTU"
        case .device(let code): "dropped: the receiving device refused it, error \(code)"
        }
    }
}
