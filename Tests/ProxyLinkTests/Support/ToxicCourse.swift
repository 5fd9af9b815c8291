import LinkModel
import NIOCore

@testable import ProxyLink

/// A pipe of toxics, and its clock.
final class ToxicCourse {
    let pipe = ToxicPipe()
    var toxics: [Toxic] = []
    var now = Instant(nanoseconds: 0)
    /// The output with its time in milliseconds: the number of bytes, or how the stream ended.
    var log: [String] = []
    var bytes: [UInt8] = []

    func set(_ effects: Toxic.Effect..., toxicity: Double = 1) { set(effects, toxicity: toxicity) }

    func set(_ effects: [Toxic.Effect], toxicity: Double = 1) {
        toxics = effects.enumerated().map {
            Toxic(name: "t\($0.offset)", direction: .downlink, toxicity: toxicity, effect: $0.element)
        }
        apply()
    }

    func apply(seed: UInt64 = 1) {
        pipe.apply(
            toxics, dice: { ToxicDice(seed: seed, proxy: "p", toxic: $0, order: 1) }, at: now)
        drain()
    }

    func send(_ bytes: [UInt8]) {
        pipe.take(ByteBuffer(bytes: bytes), at: now)
        drain()
    }

    func send(_ count: Int) { send(pattern(count)) }

    func end() {
        pipe.end(at: now)
        drain()
    }

    /// Passes time from deadline to deadline, as timers do.
    func pass(_ milliseconds: Int64) {
        let end = now + .milliseconds(milliseconds)
        while let deadline = pipe.deadline(), deadline <= end {
            now = max(now, deadline)
            drain()
        }
        now = end
        drain()
    }

    private func drain() {
        while let output = pipe.next(at: now) {
            let time = Double(now.nanoseconds) / 1e6
            switch output {
            case .piece(let piece):
                bytes += piece.bytes.readableBytesView
                log.append("\(time):\(piece.bytes.readableBytes)")
            case .end: log.append("\(time):end")
            case .close: log.append("\(time):close")
            case .reset: log.append("\(time):reset")
            }
        }
    }
}
