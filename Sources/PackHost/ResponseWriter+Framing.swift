import NIOHTTP1
import PackFormat

extension ResponseWriter {
    /// Lets faults wrap or encode the body, or mark its end in another way.
    func frame(_ script: inout ResponseScript, _ selection: Selection, notes: inout [HostFault.Action]) {
        guard request.method == .GET else { return }
        for action in actions {
            switch action {
            case .multipart where selection.part != nil:
                wrap(&script, selection.contentRange(of: size) ?? "")
            case .encoding(let coding) where selection == .whole:
                encode(&script, by: coding)
            // Frames of HTTP/2 mark the end of a body by themselves.
            case .framing(let framing)
            where (selection == .whole || selection.part != nil) && request.version.major < 2:
                reframe(&script, framing)
            default: continue
            }
            notes.append(action)
        }
    }

    /// Marks the end of the body by the framing, RFC 9112 section 6.3; chunks are only for HTTP/1.1 (section 6.1).
    private func reframe(_ script: inout ResponseScript, _ framing: HostFault.Framing) {
        script.head.headers.remove(name: "Content-Length")
        guard framing != .untilClose, request.version != .http1_0 else {
            // As HTTP/1.0, because the encoder would send chunks otherwise.
            script.head.version = .http1_0
            script.endsConnection = true
            return
        }
        script.trailers = [:]
        guard framing == .trailers else { return }
        script.head.headers.add(name: "Trailer", value: Self.trailer)
        script.trailers = [Self.trailer: resource.tag.opaque]
    }

    private static let trailer = "Headwind-SHA256"

    /// Makes the body the only part of a multipart body, RFC 9110 section 14.6.
    private func wrap(_ script: inout ResponseScript, _ contentRange: String) {
        let boundary = "headwind-\(resource.tag.opaque.prefix(16))"
        let begin = Array(
            "--\(boundary)\r\nContent-Type: \(resource.mediaType)\r\nContent-Range: \(contentRange)\r\n\r\n".utf8)
        let end = Array("\r\n--\(boundary)--\r\n".utf8)
        script.head.headers.remove(name: "Content-Range")
        script.head.headers.replaceOrAdd(name: "Content-Type", value: "multipart/byteranges; boundary=\(boundary)")
        let length = script.planned + Int64(begin.count + end.count)
        script.head.headers.replaceOrAdd(name: "Content-Length", value: String(length))
        script.insert(begin, end: [.text(end)])
    }

    /// Encodes the body in stored blocks, without compression.
    ///
    /// The encoded body has a tag of its own (RFC 9110 §8.8.3.3), and no date, which could not tell it from the other.
    private func encode(_ script: inout ResponseScript, by coding: HostFault.ContentCoding) {
        var length = Int64(coding.begin.count + coding.end.count + (coding.isChecked ? 8 : 0))
        func block(_ count: Int) -> ResponseScript.Step {
            let head = coding.block(count)
            length += Int64(head.count + count)
            return .text(head)
        }
        script.steps = script.steps.flatMap { step -> [ResponseScript.Step] in
            switch step {
            case .body(let range):
                let starts = stride(from: range.lowerBound, to: range.upperBound, by: Self.mostStored)
                return starts.map { $0..<min($0 + Int64(Self.mostStored), range.upperBound) }
                    .flatMap { [block($0.count), .body($0)] }
            case .flipped: return [block(1), step]
            default: return [step]
            }
        }
        script.isChecked = coding.isChecked
        script.head.headers.replaceOrAdd(name: "Content-Encoding", value: coding.rawValue)
        if let tag = script.head.headers.single("ETag") {
            script.head.headers.replaceOrAdd(name: "ETag", value: "\(tag.dropLast())-\(coding.rawValue)\"")
        }
        script.head.headers.remove(name: "Last-Modified")
        script.head.headers.replaceOrAdd(name: "Content-Length", value: String(length))
        script.insert(coding.begin, end: [.text(coding.end)] + (coding.isChecked ? [.checksum] : []))
    }

    /// The most bytes of a stored block.
    private static let mostStored = 65_535
}

extension HostFault.ContentCoding {
    /// The bytes before the blocks: RFC 1952 section 2.3; RFC 7932 section 9.
    ///
    /// Brotli has a window of 64 KiB and an empty block of metadata, after which the next block begins at a byte.
    fileprivate var begin: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        case .br: [0b0_00_0_11_0_0]
        }
    }

    /// The head of a stored block of `count` bytes, at most 65,535: RFC 1951 section 3.2.4; RFC 7932 section 9.2.
    fileprivate func block(_ count: Int, isLast: Bool = false) -> [UInt8] {
        switch self {
        case .gzip:
            let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
            return [isLast ? 1 : 0, low, high, ~low, ~high]
        case .br:
            let bits = (count - 1) << 3 | 1 << 19
            return (0..<3).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        }
    }

    /// The last block, which is empty.
    fileprivate var end: [UInt8] {
        switch self {
        case .gzip: block(0, isLast: true)
        case .br: [0b11]
        }
    }

    /// Whether a checksum and the size follow the blocks.
    fileprivate var isChecked: Bool { self == .gzip }
}

extension ResponseScript {
    /// Inserts bytes before the body, and appends steps after it.
    ///
    /// Nothing follows a cut or an endless silence.
    fileprivate mutating func insert(_ begin: [UInt8], end: [Step]) {
        let head = steps.firstIndex(of: .head) ?? steps.startIndex
        steps.insert(.text(begin), at: head + 1)
        let isCut = steps.last.map { if case .cut = $0 { true } else { $0 == .silence } } ?? false
        if !isCut { steps += end }
    }
}
