import NIOHTTP1
import PackFormat

extension ResponseWriter {
    /// Has faults wrap or encode the body, and tell otherwise where it ends.
    func frame(_ script: inout ResponseScript, _ selection: Selection, notes: inout [HostFault.Action]) {
        guard request.method == .GET else { return }
        for action in actions {
            switch action {
            case .multipart where selection.part != nil:
                wrap(&script, selection.contentRange(of: size) ?? "")
            case .encoding(.gzip) where selection == .whole:
                encode(&script)
            case .framing(let framing) where selection == .whole || selection.part != nil:
                reframe(&script, framing)
            default: continue
            }
            notes.append(action)
        }
    }

    /// Says by the framing where the body ends, RFC 9112 section 6.3; chunks are for HTTP/1.1 alone (section 6.1).
    private func reframe(_ script: inout ResponseScript, _ framing: HostFault.Framing) {
        script.head.headers.remove(name: "Content-Length")
        guard framing != .untilClose, request.version != .http1_0 else {
            // By HTTP/1.0, for the encoder would send chunks by itself.
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

    /// Makes the body the one part of a multipart body, RFC 9110 section 14.6.
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

    /// Encodes the body by gzip, in blocks that are stored as they are: RFC 1951 section 3.2.4, RFC 1952 section 2.3.
    private func encode(_ script: inout ResponseScript) {
        func block(_ count: Int, isLast: Bool = false) -> ResponseScript.Step {
            let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
            return .text([isLast ? 1 : 0, low, high, ~low, ~high])
        }
        let begin: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var length = Int64(begin.count + 5 + 8)
        script.steps = script.steps.flatMap { step -> [ResponseScript.Step] in
            switch step {
            case .body(let range):
                let starts = stride(from: range.lowerBound, to: range.upperBound, by: Self.mostStored)
                let parts = starts.map { $0..<min($0 + Int64(Self.mostStored), range.upperBound) }
                length += Int64(range.count + 5 * parts.count)
                return parts.flatMap { [block($0.count), .body($0)] }
            case .flipped:
                length += 6
                return [block(1), step]
            default: return [step]
            }
        }
        script.isChecked = true
        script.head.headers.replaceOrAdd(name: "Content-Encoding", value: "gzip")
        script.head.headers.replaceOrAdd(name: "Content-Length", value: String(length))
        script.insert(begin, end: [block(0, isLast: true), .checksum])
    }

    /// Bytes of a block that is stored.
    private static let mostStored = 65_535
}

extension ResponseScript {
    /// Puts bytes in front of the body, and steps behind it.
    ///
    /// Behind a cut, or an endless silence, nothing comes.
    fileprivate mutating func insert(_ begin: [UInt8], end: [Step]) {
        let head = steps.firstIndex(of: .head) ?? steps.startIndex
        steps.insert(.text(begin), at: head + 1)
        let isCut = steps.last.map { if case .cut = $0 { true } else { $0 == .silence } } ?? false
        if !isCut { steps += end }
    }
}
