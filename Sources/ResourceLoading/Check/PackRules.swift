import PackFormat

/// Judges the answers about one pack.
struct PackRules: Sendable {
    let resource: AssetPackManifest.Resource
    /// The answer to HEAD.
    let head: ResponseHead

    /// Judges the answer to a request for a range of these bytes.
    func range(_ answer: ProbeAnswer, _ bytes: ClosedRange<Int64>) -> HostFinding {
        let asked = "bytes=\(bytes.lowerBound)-\(bytes.upperBound)"
        func fails(_ text: String) -> HostFinding { HostFinding(.range, .fails, "\(asked): \(text)") }
        guard answer.status == 206 else {
            if answer.status == 200 {
                return fails("the host ignores ranges and sends the whole file: interrupted downloads start again")
            }
            return fails("\(answer.text) instead of 206")
        }
        guard let part = answer.head?.contentRange else { return fails("206 without a readable Content-Range") }
        guard part.bytes == bytes else { return fails("206 with other bytes: Content-Range says \(Self.text(part))") }
        guard !answer.isTooLong, Int64(answer.body.count) == bytes.upperBound - bytes.lowerBound + 1 else {
            let count = answer.isTooLong ? "more than \(answer.body.count)" : "\(answer.body.count)"
            return fails("206 with a body of \(count) bytes")
        }
        if let failure = answer.failure { return fails(failure.detail) }
        return HostFinding(.range, .holds, "206 with the requested bytes")
    }

    private static func text(_ range: ContentRange) -> String {
        let bytes = range.bytes.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        return "\(bytes)/\(range.total.map(String.init) ?? "*")"
    }

    /// Judges the size that HEAD, the answer for the end of the file, and the manifest give.
    func size(_ rest: ProbeAnswer?) -> HostFinding {
        guard let size = head.contentLength else { return HostFinding(.size, .fails, "HEAD has no Content-Length") }
        if let total = rest?.head?.contentRange?.total, total != size {
            return HostFinding(.size, .fails, "HEAD says \(size) bytes, but a range response says \(total)")
        }
        if rest?.status == 200, let length = rest?.head?.contentLength, length != size {
            return HostFinding(.size, .fails, "HEAD says \(size) bytes, but GET says \(length)")
        }
        if let told = resource.downloadSize {
            let isSame = told == size
            return HostFinding(
                .size, isSame ? .holds : .fails,
                isSame ? "as the manifest says" : "\(size) bytes, but the manifest says \(told): upload the built packs"
            )
        }
        if size == 0, resource.uncompressedSize > 0 {
            return HostFinding(.size, .fails, "0 bytes, but the manifest says \(resource.uncompressedSize) unpacked")
        }
        // Xcode's archives are not compressed, so they are not much smaller than their content; others may be deflated.
        return HostFinding(.size, .holds, "\(size) bytes; the manifest says \(resource.uncompressedSize) unpacked")
    }

    /// Judges whether two answers identify the file, and in the same way.
    func etag(_ second: ResponseHead?) -> [HostFinding] {
        if let one = head.etag, let other = second?.etag, one != other {
            let text =
                "not stable: \(one.prefix(60)), then \(other.prefix(60)). Servers behind a load balancer need the same."
            return [HostFinding(.etag, .fails, text)]
        }
        guard let etag = head.etag else {
            return head.lastModified == nil
                ? [
                    HostFinding(
                        .etag, .fails, "neither ETag nor Last-Modified: a client cannot tell whether a file changed")
                ]
                : [HostFinding(.etag, .note, "none, only Last-Modified, which is exact to one second")]
        }
        if etag.hasPrefix("W/") {
            return head.lastModified == nil
                ? [HostFinding(.etag, .fails, "weak, and no Last-Modified: clients cannot resume")]
                : [HostFinding(.etag, .note, "weak: clients resume by Last-Modified")]
        }
        return [HostFinding(.etag, .holds, second == nil ? "strong" : "strong, and the same in both answers")]
    }

    /// Judges the answer to a request for the last byte by `-1`.
    func suffixRange(_ answer: ProbeAnswer, _ size: Int64) -> HostFinding {
        if answer.status == 206 {
            let isRight = answer.head?.contentRange?.bytes == (size - 1)...(size - 1) && answer.body.count == 1
            return HostFinding(
                .suffixRange, isRight && !answer.isTooLong ? .holds : .fails,
                isRight ? "206 with the last byte" : "bytes=-1: 206 with other bytes than the last one")
        }
        return HostFinding(.suffixRange, .note, "bytes=-1: \(answer.text); resuming does not need it")
    }

    /// Judges the answer to a range that begins where the file ends.
    func beyondEnd(_ answer: ProbeAnswer, _ size: Int64) -> HostFinding {
        switch answer.status {
        case 416:
            let total = answer.head?.contentRange?.total
            guard let total, total != size else { return HostFinding(.rangeBeyondEnd, .holds, "416") }
            return HostFinding(
                .rangeBeyondEnd, .fails, "416, but Content-Range says \(total) bytes instead of \(size)")
        case 206:
            return HostFinding(.rangeBeyondEnd, .fails, "bytes=\(size)-: 206, although the file ends before it")
        default:
            return HostFinding(.rangeBeyondEnd, .note, "bytes=\(size)-: \(answer.text) instead of 416")
        }
    }

    /// Judges the answers to two conditional ranges: with this file's validator, and with another one.
    func ifRange(_ same: ProbeAnswer, _ other: ProbeAnswer) -> HostFinding {
        guard same.status == 206 else {
            return HostFinding(
                .ifRange, .fails, "\(same.text) for the file's own validator: interrupted downloads start again")
        }
        guard other.status == 200 else {
            return HostFinding(
                .ifRange, .fails,
                "\(other.text) for another file's validator: a client would join parts of two files")
        }
        return HostFinding(.ifRange, .holds, "206 for this file, 200 for another")
    }
}
