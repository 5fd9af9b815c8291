import NIOCore
import NIOHTTP1
import PackFormat

/// Writes the script of the response to one request for one resource.
struct ResponseWriter {
    let request: HTTPRequestHead
    /// The path in decision lines.
    let path: String
    let resource: Resource
    /// The number of this request among those for the resource, from 1.
    let number: Int
    /// The faults that concern the request, in order.
    let actions: [HostFault.Action]
    let host: ResponseContext
    /// The origin that the request is for; nil if it does not say.
    let origin: RequestOrigin?
    let otherNames: [String: String]
    let otherPorts: [Int: Int]

    /// The response, for a resource that was last modified at `modified`.
    func script(modified: HTTPDate) -> ResponseScript {
        if let substitute = substitute() { return substitute }
        var notes: [HostFault.Action] = []
        let known = actions.clock == .ahead ? modified.aYearLater : modified
        let changes = actions.filter { $0.kind.row.part == .resource }
        notes += changes
        let (tag, modified) = validators(modified: known)
        let selection = selection(tag: tag, modified: modified, notes: &notes)
        let hidesRange = selection.part != nil && actions.contains(.rangeAsWhole)
        if hidesRange { notes.append(.rangeAsWhole) }
        var script = ResponseScript(hidesRange ? 200 : selection.status, for: request, by: host)
        if selection == .whole || selection.part != nil {
            script.head.headers.add(name: "Content-Type", value: resource.mediaType)
        }
        if let range = selection.bytes(of: size) {
            direct(&script, range: range, notes: &notes)
        }
        if [.unsatisfiable, .preconditionFailed].contains(selection) { script.answerStatus(to: request.method) }
        script.head.headers.add(name: "Accept-Ranges", value: "bytes")
        let hidden = actions.filter { [.noValidators, .noETag, .weakETag].contains($0) }
        notes += hidden
        if hidden.allSatisfy({ $0 == .weakETag }) { script.head.headers.add(name: "ETag", value: tag.text) }
        if hidden.allSatisfy({ $0 == .noETag }) {
            script.head.headers.add(name: "Last-Modified", value: modified.text)
        }
        if let clock = actions.clock {
            notes.append(.clock(clock))
            script.head.headers.add(name: "Expires", value: host.now.text)
        }
        if !hidesRange, let contentRange = selection.contentRange(of: size) {
            script.head.headers.add(name: "Content-Range", value: contentRange)
        }
        frame(&script, selection, notes: &notes)
        finish(&script, notes: notes)
        return script
    }

    /// The tag that distinguishes this version of the resource from all others, and the date, from other kinds of change.
    private func validators(modified: HTTPDate) -> (tag: EntityTag, modified: HTTPDate) {
        let isRenamed = actions.contains(.changedETag)
        let changes = [isRenamed ? "etag" : nil, alteration?.name].compactMap { $0 }
        let opaque = ((changes.isEmpty ? [] : ["changed"]) + changes + [resource.tag.opaque]).joined(separator: "-")
        let isWeak = actions.contains(.weakETag)
        let tag = EntityTag(opaque: isWeak ? resource.tag.opaque : opaque, isWeak: isWeak)
        let steps = alteration?.dateSteps ?? (isRenamed ? 1 : 0)
        let seconds = modified.secondsSinceEpoch
        // Without a tag, the date distinguishes versions, so it must be old enough to be a strong validator.
        if actions.contains(.noETag) { return (tag, HTTPDate(secondsSinceEpoch: seconds - 3600 - 60 * steps)) }
        // Else a changed version is some seconds later, but not in the future.
        return (tag, max(modified, min(HTTPDate(secondsSinceEpoch: seconds + steps), host.now)))
    }

    /// The change that faults make to the resource; nil if there is none.
    private var alteration: Alteration? { Alteration(actions, of: resource.size) }

    /// The size of the resource in bytes, with the changes that faults make.
    var size: Int64 { alteration?.size ?? resource.size }

    /// The selected part of the resource; a fault may ignore, refuse or move the range.
    private func selection(tag: EntityTag, modified: HTTPDate, notes: inout [HostFault.Action]) -> Selection {
        let honest = Selection(request, size: size, tag: tag, modified: modified, now: host.now)
        if actions.contains(.ignoreRange), honest.part != nil || honest == .unsatisfiable {
            notes.append(.ignoreRange)
            return .whole
        }
        if actions.contains(.refuseRange), honest.part != nil {
            notes.append(.refuseRange)
            return .unsatisfiable
        }
        for case .wrongRange(let offset) in actions {
            guard let part = honest.part else { continue }
            notes.append(.wrongRange(by: offset))
            let first = min(max(part.lowerBound.addingReportingOverflow(offset).partialValue, 0), size - 1)
            return .part(first..<max(first + 1, part.upperBound))
        }
        return honest
    }

    /// Adds length, speed and steps of a body with the bytes in `range`.
    private func direct(_ script: inout ResponseScript, range: Range<Int64>, notes: inout [HostFault.Action]) {
        let length = Int64(range.count)
        var stated = length
        for case .wrongLength(let error) in actions {
            stated = max(0, length.addingReportingOverflow(error).partialValue)
            script.endsConnection = true
            notes.append(.wrongLength(by: error))
        }
        for case .wrappedLength(let offset) in actions {
            let place = offset.resolved(in: size)
            stated = (1 << 32) + max(0, place - range.lowerBound)
            script.endsConnection = true
            notes.append(.wrappedLength(at: .bytes(place)))
        }
        script.head.headers.add(name: "Content-Length", value: String(stated))
        script.from = range.lowerBound
        guard request.method == .GET else { return }
        script.planned = length
        script.alteration = alteration
        script.source = if case .bytes(let bytes) = resource.content { .bytes(bytes) } else { .file }
        for case .drip(let speed) in actions where !range.isEmpty {
            script.pace = speed
            notes.append(.drip(bytesPerSecond: speed))
        }
        let body = FaultyBody(range, of: size, faults: actions)
        script.steps += body.steps
        notes += body.notes
    }

    /// Adds what faults can change in every kind of response: delays and Cache-Control; and the lines of the log.
    func finish(_ script: inout ResponseScript, notes: [HostFault.Action]) {
        var notes = notes
        for action in actions {
            switch action {
            case .lateHead(let delay): script.steps.insert(.pause(delay), at: 0)
            case .never: script.steps = [.silence]
            case .cacheControl(let text): script.head.headers.add(name: "Cache-Control", value: text)
            default: continue
            }
            notes.append(action)
        }
        if actions.contains(.never) { notes = [.never] }
        script.decisions = notes.map {
            "L1 \(request.method.rawValue) \(path) from=\(script.from) try=\(number) \($0.text)"
        }
        script.concludeHead(for: request)
    }

    /// The response that replaces the resource, by the first fault that asks for one; nil if none does.
    func substitute() -> ResponseScript? {
        for action in actions {
            var script: ResponseScript
            switch action {
            case .status(let status, let retryAfter):
                script = plain(status, "Retry-After", retryAfter?.field(now: host.now))
            case .redirect(let url, let status, let kind):
                guard let location = location(url, kind) else { continue }
                script = plain(status, "Location", location)
            case .portal(let page): script = plain(302, "Location", PortalPages.path(of: page))
            case .body(let text, let contentType):
                script = ResponseScript(200, for: request, by: host)
                script.answer(text, as: contentType, to: request.method)
            default: continue
            }
            finish(&script, notes: [action])
            return script
        }
        return nil
    }

    /// A response whose body is its status, with a field if that has a value.
    private func plain(_ status: Int, _ field: String, _ value: String?) -> ResponseScript {
        var script = ResponseScript(status, for: request, by: host)
        script.answerStatus(to: request.method)
        if let value { script.head.headers.add(name: field, value: value) }
        return script
    }

    /// The target of a redirect; nil if the host has no such origin.
    private func location(_ url: String, _ kind: HostFault.Origin?) -> String? {
        guard let kind else { return url }
        guard let led = origin?.led(to: kind, otherNames: otherNames, otherPorts: otherPorts) else { return nil }
        return led.text + (url.hasPrefix("?") ? path + url : url)
    }
}

extension [HostFault.Action] {
    /// How the host's clock is wrong; nil if it is right.
    var clock: HostFault.Clock? { lazy.compactMap { if case .clock(let clock) = $0 { clock } else { nil } }.first }
}

extension ResponseContext {
    /// The context at the time of a clock that may be wrong.
    func shifted(by clock: HostFault.Clock?) -> ResponseContext {
        switch clock {
        case nil: self
        case .ahead: ResponseContext(nonce: nonce, now: now.aYearLater)
        case .epoch: ResponseContext(nonce: nonce, now: HTTPDate(secondsSinceEpoch: 0))
        }
    }
}

extension HTTPDate {
    fileprivate var aYearLater: HTTPDate { HTTPDate(secondsSinceEpoch: secondsSinceEpoch + 365 * 86_400) }
}

extension HostFault.RetryAfter {
    /// The value of the field, RFC 9110 §10.2.3.
    fileprivate func field(now: HTTPDate) -> String {
        switch self {
        case .seconds(let seconds): String(seconds)
        case .date(let delay):
            // A date beyond the last date of HTTP becomes that one.
            HTTPDate(secondsSinceEpoch: now.secondsSinceEpoch + min(delay.components.seconds, 1 << 40)).text
        }
    }
}

extension Selection {
    /// The bytes of a part; nil for any other selection.
    var part: Range<Int64>? {
        if case .part(let range) = self { range } else { nil }
    }

    fileprivate var status: Int {
        switch self {
        case .whole: 200
        case .part: 206
        case .notModified: 304
        case .unsatisfiable: 416
        case .preconditionFailed: 412
        }
    }

    /// The bytes of the resource that the response has; nil if it has none.
    fileprivate func bytes(of size: Int64) -> Range<Int64>? {
        self == .whole ? 0..<size : part
    }

    /// The value of Content-Range, RFC 9110 §14.4; nil if the response has none.
    func contentRange(of size: Int64) -> String? {
        switch self {
        case .part(let range): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        case .unsatisfiable: "bytes */\(size)"
        case .whole, .notModified, .preconditionFailed: nil
        }
    }
}
