import Foundation

// Apple's Foundation has it.
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An event of a link or of a connection, see `docs/reference/events.md`.
///
///     for try await event in try await control.events() where event.kind == "closed" {
///         let (cause, bytes): (String?, Int?) = (event["cause"], event["downlink"])
///         print("connection \(event.connection) of \(event.link): \(cause ?? "?"), \(bytes ?? 0) bytes")
///         break
///     }
public struct Event: Sendable, Hashable {
    /// Its number among all events of the proxy, which increases by one: if a number is missing, so is its event.
    public let id: Int
    /// When it happened, in nanoseconds of CLOCK_MONOTONIC of the proxy's machine.
    public let time: Int64
    /// What happened, such as `"opened"`; a later proxy may have more kinds.
    public let kind: String
    /// The name of its link.
    public let link: String
    /// The number of its connection; 0: the event is about the whole link.
    public let connection: Int
    /// All members, by name.
    public let members: [String: JSONValue]

    private struct Head: Decodable {
        let t: Int64
        let event: String
        let link: String?
        let connection: Int?
    }

    init(id: Int, _ data: Data) throws {
        let head = try JSONDecoder().decode(Head.self, from: data)
        self.id = id
        (time, kind, link, connection) = (head.t, head.event, head.link ?? "main", head.connection ?? 0)
        members = try JSONDecoder().decode([String: JSONValue].self, from: data)
    }

    /// A member as a type: `let target: String? = event["target"]`; nil if it is absent, or of another type.
    ///
    /// A change has `event["conditions"] as Conditions?`.
    public subscript<Value: Decodable>(member: String) -> Value? {
        members[member].flatMap { try? JSONDecoder().decode(Value.self, from: JSONEncoder().encode($0)) }
    }
}

/// Reads server-sent events, as `URLSession.bytes` would, which Foundation on Linux does not have.
final class EventReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Unchecked, because NSObject is not Sendable. The session calls its delegate one call after another, so `bytes` and
    // `lines` need no lock.
    //
    // It keeps only continuations, so that a dropped stream ends the request.
    private let begin: AsyncThrowingStream<Void, any Error>.Continuation
    private let add: AsyncThrowingStream<Event, any Error>.Continuation
    private let place: String
    private var bytes = Data()
    private var lines = EventLines()

    /// Requests events, until the stream of `add` ends.
    ///
    /// `begin`: ends without an error when the proxy has confirmed the request.
    init(
        _ request: URLRequest, at place: String, begin: AsyncThrowingStream<Void, any Error>.Continuation,
        add: AsyncThrowingStream<Event, any Error>.Continuation
    ) {
        (self.place, self.begin, self.add) = (place, begin, add)
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        // The next event may come at any time.
        configuration.timeoutIntervalForRequest = configuration.timeoutIntervalForResource
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        add.onTermination = { _ in
            // Before the session ends, so that its error does not reach the stream.
            add.finish()
            // Until then, the session holds its delegate.
            session.invalidateAndCancel()
        }
        session.dataTask(with: request).resume()
    }

    /// Ends both streams with an error.
    func fail(_ error: ControlError) {
        begin.finish(throwing: error)
        add.finish(throwing: error)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes += data
        // The body of a refusal is complete only at its end.
        guard (dataTask.response as? HTTPURLResponse)?.statusCode == 200 else { return }
        var start = bytes.startIndex
        defer { bytes.removeSubrange(..<start) }
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            start = end + 1
            begin.finish()
            do {
                if let event = try lines.event(after: line) { add.yield(event) }
            } catch {
                fail(ControlError("could not read an event of the proxy at \(place): \(error)"))
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let status = (task.response as? HTTPURLResponse)?.statusCode, status != 200 {
            fail(ControlError(refusal: bytes, status: status))
        } else {
            let reason = error?.localizedDescription ?? "the stream of events ended"
            fail(ControlError("could not reach the proxy at \(place): \(reason)"))
        }
    }
}

/// Puts the lines of server-sent events together.
struct EventLines {
    private var id = 0
    private var data: [Substring] = []

    /// The event that a line completes, if it is an empty line after others.
    mutating func event(after line: String) throws -> Event? {
        guard !line.isEmpty else {
            defer { data = [] }
            return data.isEmpty ? nil : try Event(id: id, Data(data.joined(separator: "\n").utf8))
        }
        let name = line.prefix { $0 != ":" }
        let rest = line.dropFirst(name.count + 1)
        let value = rest.hasPrefix(" ") ? rest.dropFirst() : rest
        switch name {
        case "id": id = Int(value) ?? id
        case "data": data.append(value)
        default: break
        }
        return nil
    }
}
