import Documents
import Foundation
import LinkModel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Scenarios

@testable import ProxyLink

/// Sends the first bytes of an HTTP client to the proxy's port: their pieces make no difference.
///
/// NIO's parser also reads the head that the proxy sends on, and must find the same request in it.
func fuzzProxy(_ bytes: [UInt8]) throws {
    // A first byte of 4 or 5 means SOCKS, which has its own target.
    guard let first = bytes.first, first != 4, first != 5 else { return }
    let outcome = try collected(bytes)
    guard case .complete(.forward(let target, let path, let head, let body), let rest) = outcome else { return }
    try demand(path.hasPrefix("/") || path == "*", "the path '\(path)' is none")
    let own = try require("a head that is sent on cannot be read again") { try RequestHead(parsing: head) }
    guard let request = parsed(head) else {
        // NIO knows only some methods.
        let isKnown = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].contains(own.method)
        return try demand(!isKnown, "NIO refuses the head \(String(decoding: head, as: UTF8.self))")
    }
    try demand(request.method.rawValue == own.method, "NIO reads the method \(request.method)")
    try demand(request.uri == own.target, "NIO reads the target '\(request.uri)', and not '\(own.target)'")
    let count = request.headers.count
    try demand(count == own.fields.count, "NIO reads \(count) fields of \(own.fields.count)")
    for name in ["content-length", "transfer-encoding", "host"] {
        try demand(request.headers[name] == own.values(name), "NIO reads \(request.headers[name]) for '\(name)'")
    }
    let host = try require("the host sent on is none") { try Endpoint(parsing: own.values("host")[0], defaultPort: 80) }
    try demand(host == target, "\(host) is told to be asked, and \(target) is")
    try demand(rest.count < bytes.count, "the rest is not behind the head")
    try checkBody(body, rest, behind: head)
}

/// Checks that a body's length does not depend on its pieces, and that llhttp finds its end in the same place.
private func checkBody(_ body: RequestBody, _ bytes: [UInt8], behind head: [UInt8]) throws {
    let count = taken(body, [bytes[...]])
    try demand(count == taken(body, bytes.indices.map { bytes[$0...$0] }), "a body has another length in pieces")
    guard let count else { return }
    for length in [count - 1, count] where length >= 0 {
        guard let hasEnd = hasEnd(head + bytes.prefix(length)) else { continue }
        try demand(hasEnd == (length == count), "a body of \(count) bytes ends for NIO at \(length), or does not")
    }
}

/// The length of a body that arrives in `pieces`, in bytes; nil if it is refused, or does not end.
private func taken(_ body: RequestBody, _ pieces: [ArraySlice<UInt8>]) -> Int? {
    var (body, count) = (body, 0)
    for piece in pieces where !body.isComplete {
        var piece = ByteBuffer(bytes: piece)
        guard let part = try? body.take(&piece) else { return nil }
        count += part.readableBytes
    }
    return body.isComplete ? count : nil
}

/// Whether NIO's parser, llhttp, finds a whole request in these bytes; nil if it refuses them.
private func hasEnd(_ bytes: [UInt8]) -> Bool? {
    let channel = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    guard (try? channel.writeInbound(ByteBuffer(bytes: bytes))) != nil else { return nil }
    while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
        if case .end = part { return true }
    }
    return false
}

/// Sends the first bytes of a SOCKS client to the proxy's port: their pieces make no difference, answers are bounded.
func fuzzSOCKS(_ bytes: [UInt8]) throws {
    let bytes = [5] + bytes
    switch try collected(bytes) {
    case .complete(.socks(let target), let rest):
        let text = target.description
        let again = try require("the target '\(text)' cannot be read again") { try Endpoint(parsing: text) }
        try demand(again == target, "'\(text)' is read as \(again)")
        try demand(rest.count < bytes.count, "the rest is not behind the request")
    case .complete(let request, _): throw Finding("SOCKS asks for \(request)")
    case .incomplete(let answers): try demand(answers.count <= 1, "\(answers.count) greetings were answered")
    case .refused(let refusal, let dialect):
        let answer = refusal.response(in: dialect).readableBytesView
        try demand(answer.isEmpty || answer.first == 5, "a refusal speaks another protocol")
    }
}

private enum Outcome: Equatable {
    case incomplete(answers: [[UInt8]])
    case complete(ProxyRequest, rest: [UInt8])
    case refused(Refusal, Dialect)
}

/// The outcome of a client's bytes; throws a ``Finding`` if it depends on the pieces in which they arrive.
private func collected(_ bytes: [UInt8]) throws -> Outcome {
    let whole = collect([bytes[...]])
    let middle = bytes.count / 2
    var pieces = [[bytes[..<middle], bytes[middle...]]]
    if bytes.count <= 300 { pieces.append(bytes.indices.map { bytes[$0...$0] }) }
    for pieces in pieces {
        let outcome = collect(pieces)
        try demand(outcome == whole, "in \(pieces.count) pieces there is \(outcome), and in one there is \(whole)")
    }
    return whole
}

private func collect(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
    var collector = RequestCollector(headLimit: 4096)
    var answers: [[UInt8]] = []
    for (index, piece) in pieces.enumerated() {
        do throws(Refusal) {
            var more = ByteBuffer(bytes: piece)
            while true {
                switch try collector.append(&more) {
                case .incomplete: break
                case .answer(let answer):
                    answers.append(Array(answer.readableBytesView))
                    // Bytes after a greeting may already be the request.
                    continue
                case .page: throw .malformed("there is no page")
                case .complete(let request, let rest):
                    return .complete(request, rest: Array(rest.readableBytesView) + pieces[(index + 1)...].joined())
                }
                break
            }
        } catch {
            return .refused(error, collector.dialect)
        }
    }
    return .incomplete(answers: answers)
}

/// The request head that NIO's parser, llhttp, finds; nil if it refuses the bytes, or finds more than one.
private func parsed(_ head: [UInt8]) -> HTTPRequestHead? {
    let channel = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    guard (try? channel.writeInbound(ByteBuffer(bytes: head))) != nil,
        case .head(let request)? = try? channel.readInbound(as: HTTPServerRequestPart.self)
    else { return nil }
    while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
        if case .head = part { return nil }
    }
    return request
}

/// Reads the body of a control request: it is refused, or is a change within the bounds of links without repeated keys.
///
/// The control API reports conditions in a form that it also accepts.
func fuzzControl(_ bytes: [UInt8]) throws {
    let reader = LinkRequestReader(library: ProfileLibrary(folder: "/none"), started: Profile(name: "3g"))
    guard let request = try? reader.read(bytes) else { return }
    let again = try? reader.read([UInt8](" \n".utf8) + bytes + [UInt8]("\t".utf8))
    try demand(again == request, "with blanks around it a body means \(String(describing: again))")
    var keys = JSONKeys(bytes)
    if let key = keys.repeated() { throw Finding("a body is accepted in which the key '\(key)' stands twice") }
    guard case .conditions(let conditions) = request else { return }
    try demand(conditions.contradictions.isEmpty, "conditions contradict themselves: \(conditions.contradictions)")
    for direction in [conditions.downlink, conditions.uplink] {
        try demand(LinkBounds.delay.contains(direction.delay), "a delay of \(direction.delay) is accepted")
        try demand(direction.rate.map { $0.bitsPerSecond > 0 } ?? true, "a rate is not above 0")
    }
    let document = LinkDocument(profile: nil, conditions: conditions, counters: ProxyCounters())
    _ = try require("conditions that were accepted cannot be told") { try document.jsonText() }
    let told = try JSONEncoder().encode(["conditions": conditions.notation])
    let asked = try require("conditions that are told cannot be asked") { try reader.read(Array(told)) }
    try demand(asked == request, "conditions that are told mean \(asked)")
}
