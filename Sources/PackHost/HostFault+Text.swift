import LinkModel
package import PackFormat

extension HostFault {
    /// The fault in the notation of ``init(parsing:)``, which reads it back: `pack=level-2 try=1 cut@524288`.
    package var text: String {
        let scope = pack == "*" ? "" : "pack=\(FaultWord.quoted(pack)) "
        guard let tries else { return scope + action.text }
        return scope + "try=\(tries.text) " + action.text
    }
}

extension HostFault.Action {
    /// What goes wrong, without where and when: `cut@524288`.
    package var text: String {
        switch self {
        case .status(let status, nil): "status=\(status)"
        case .status(let status, .seconds(let seconds)?): "status=\(status) retry-after=\(seconds)s"
        case .status(let status, .date(let delay)?): "status=\(status) retry-after-date=\(delay.word)"
        case .redirect(let url, let status): "redirect=\(FaultWord.quoted(url)) status=\(status)"
        case .lateHead(let delay): "late-head=\(delay.word)"
        case .never: "no-head"
        case .cut(let offset, .fin): "cut@\(offset.word)"
        case .cut(let offset, .rst): "cut@\(offset.word) rst"
        case .stall(let offset, nil): "stall@\(offset.word)"
        case .stall(let offset, let duration?): "stall@\(offset.word) for=\(duration.word)"
        case .drip(let speed): "drip=\(speed.bitRate)"
        case .corrupt(let offset): "corrupt@\(offset.word)"
        case .wrongLength(let error): "length=\(error.signed)"
        case .ignoreRange: "ignore-range"
        case .wrongRange(let offset): "range=\(offset.signed)"
        case .changedETag: "new-etag"
        case .changedContent(let difference): "new-content=\(difference.signed)"
        case .changedSize(let difference): "new-size=\(difference.signed)"
        case .portal(let page): "portal=\(FaultWord.quoted(page))"
        case .body(let text, let contentType):
            "body=\(FaultWord.quoted(text)) type=\(FaultWord.quoted(contentType))"
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var text: String {
        if upperBound == .max { return "\(lowerBound)-" }
        return lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)-\(upperBound)"
    }
}

extension Duration {
    fileprivate var word: String { text.filter { $0 != " " } }
}

extension Int64 {
    fileprivate var signed: String { self < 0 ? "\(self)" : "+\(self)" }

    /// Bytes per second as the rate that reads back; also of a speed that no host could keep, for messages.
    fileprivate var bitRate: String {
        let (bits, overflows) = multipliedReportingOverflow(by: 8)
        return bits > 0 && !overflows ? BitRate(bitsPerSecond: bits).text.filter { $0 != " " } : "\(self)B/s"
    }
}

extension ByteOffset {
    fileprivate var word: String {
        switch self {
        case .bytes(let count): "\(count)"
        case .fraction(let part):
            (part * 100).rounded() == part * 100 && part.magnitude <= 1 ? "\(Int(part * 100))%" : "\(part * 100)%"
        }
    }
}
