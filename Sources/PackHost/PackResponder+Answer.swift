import NIOCore
import NIOHTTP1
import NIOPosix
import PackFormat

extension PackResponder {
    /// Answers one request.
    func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // The decoder of HTTP/1.1 has already checked their number.
        guard head.headers.count <= core.limits.headFields else {
            return refuse(.requestHeaderFieldsTooLarge, "the head has \(head.headers.count) fields", context)
        }
        guard head.uri.utf8.count <= core.limits.targetBytes else {
            return refuse(.uriTooLong, "the target has \(head.uri.utf8.count) bytes", context)
        }
        // RFC 9112 §3.2: a request of HTTP/1.1 has exactly one Host field.
        guard head.headers["Host"].count == 1 || head.version == .http1_0 && head.headers["Host"].isEmpty else {
            return refuse(.badRequest, "the request must have exactly one Host field", context)
        }
        let isRead = head.method == .GET || head.method == .HEAD
        guard let target = RequestTarget(head.uri) else {
            guard isRead else { return decline(.methodNotAllowed, head, path: "*", context) }
            return refuse(.badRequest, "the target is not a path", context)
        }
        guard isRead else { return decline(.methodNotAllowed, head, path: target.path, context) }
        let moved = core.moved[target.decoded]
        guard let resource = core.index[target.decoded] ?? moved?.resource else {
            if let page = core.pages[target.path] { return show(page, head, path: target.path, context) }
            return decline(.notFound, head, path: target.path, context)
        }
        let range = head.headers.single("Range").flatMap { ByteRange(field: $0) }
        let (number, met) = core.admit(resource, isTry: head.method == .GET, from: range?.start)
        let actions = moved == nil ? met : met.filter { !core.moved.isMade(target.decoded, by: $0) }
        report(head, path: target.path, pack: resource.identifier, number: number)
        // A schedule names a resource by the path at which the site lists it.
        let writer = ResponseWriter(
            request: head, path: moved?.path ?? target.path, resource: resource, number: number, actions: actions,
            host: core.context.shifted(by: actions.clock), origin: origin(of: head),
            otherNames: core.configuration.otherNames, otherPorts: core.otherPorts)
        if let substitute = writer.substitute() { return play(substitute, of: resource.identifier, context) }
        if core.isLocked(resource, head.headers) {
            return play(.refusal(.forbidden, of: head, by: core.context), of: resource.identifier, context)
        }
        switch resource.content {
        case .bytes: play(writer.script(modified: core.started), of: resource.identifier, context)
        case .file(let pack): open(pack, for: writer, context)
        }
    }

    /// Opens the file on the thread pool, because a disk may be slow, and then plays the response.
    private func open(_ pack: ServedPack, for writer: ResponseWriter, _ context: ChannelHandlerContext) {
        phase = .opening
        NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) { try PackFile(pack) }
            .assumeIsolated().whenComplete { file in
                guard case .opening = self.phase else {
                    try? file.get().close()
                    return
                }
                switch file {
                case .success(let file):
                    let script = writer.script(modified: file.modified)
                    self.play(script, file: file, of: writer.resource.identifier, context)
                case .failure(let error):
                    self.core.report(.fileFault(reason: "\(error)"), on: self.number)
                    let script = ResponseScript.refusal(.internalServerError, of: writer.request, by: writer.host)
                    self.play(script, of: writer.resource.identifier, context)
                }
            }
    }

    /// Answers a well-formed request for a path or with a method that the host does not serve.
    ///
    /// The connection continues.
    private func decline(
        _ status: HTTPResponseStatus, _ head: HTTPRequestHead, path: String, _ context: ChannelHandlerContext
    ) {
        report(head, path: path, pack: nil, number: nil)
        let fields = status == .methodNotAllowed ? [("Allow", "GET, HEAD")] : []
        play(.refusal(status, of: head, by: core.context, fields: fields), context)
    }

    /// Answers with a page to which a fault has redirected.
    private func show(_ page: String, _ head: HTTPRequestHead, path: String, _ context: ChannelHandlerContext) {
        report(head, path: path, pack: nil, number: nil)
        var script = ResponseScript(200, for: head, by: core.context)
        script.answer(page, as: "text/html", to: head.method)
        script.concludeHead(for: head)
        play(script, context)
    }

    private func report(_ head: HTTPRequestHead, path: String, pack: String?, number: Int?) {
        let credentials = Self.credentials.filter { head.headers.contains(name: $0) }
        let request = HostRequest(
            method: head.method.rawValue, path: path, pack: pack, number: number, range: head.headers.single("Range"),
            origin: origin(of: head)?.text,
            credentials: credentials.isEmpty ? nil : credentials.joined(separator: ", "),
            httpVersion: isStream ? "HTTP/2" : nil)
        core.report(.request(request), on: self.number)
    }

    /// Fields that are meant for one origin only, RFC 9110 section 15.4 and RFC 6265 section 5.4.
    private static let credentials = ["authorization", "cookie"]

    private func origin(of head: HTTPRequestHead) -> RequestOrigin? {
        RequestOrigin(head.headers, isSecured: core.isSecured && !connection.isPlain)
    }

    /// Answers a request that could not be parsed.
    func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
        switch error {
        case .headerOverflow where watch?.sawLineEnd == true:
            refuse(.requestHeaderFieldsTooLarge, "the head is too large or has too many fields", context)
        case .headerOverflow:
            refuse(.uriTooLong, "the first line is too long", context)
        case .invalidVersion:
            refuse(.httpVersionNotSupported, "the version is not 1.0 or 1.1", context)
        default:
            refuse(.badRequest, "the request is malformed: \(error)", context)
        }
    }

    /// Refuses an invalid request, and ends the connection or, with HTTP/2, the stream.
    func refuse(
        _ status: HTTPResponseStatus, _ reason: String, ending cause: HostConnectionEnd.Cause = .host,
        _ context: ChannelHandlerContext
    ) {
        core.report(.refused(status: Int(status.code), reason: reason), on: number)
        if !isStream { leave(cause) }
        let script = ResponseScript.refusal(status, of: nil, by: core.context)
        guard case .bytes(let text) = script.source else { return }
        context.write(Self.wrapOutboundOut(.head(script.head)), promise: nil)
        guard !isStream else {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(text))), promise: nil)
            return endStream(nil, context)
        }
        context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(text)))).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
        }
    }
}
