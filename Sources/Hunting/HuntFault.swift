package import LinkModel

/// A download that faults apply to: a pack of the host, or the bytes of one connection.
package struct HuntPack: Hashable, Sendable {
    /// Its name in faults.
    package var identifier: String
    /// Its path on the host, such as `/packs/level-2.assetpack`.
    package var path: String
    /// Its size in bytes.
    package var size: Int64
    package var medium = Medium.file
    /// Limits faults to requests for a range that begins at this byte, and numbers these alone; nil, the default, does
    /// not.
    ///
    /// It is set for ranges that a client requests side by side, in any order.
    package var rangeStart: Int64?

    /// Its name in the lines of a schedule: `/packs/level-2.assetpack@500000`.
    var lineName: String { rangeStart.map { "\(path)@\($0)" } ?? path }

    /// Whether a fault of this kind can come at its places.
    func allows(_ kind: HuntFault.Kind) -> Bool {
        if case .client = medium { kind.row.isOfMoment } else { true }
    }

    /// Where the bytes that faults are placed at are counted.
    package enum Medium: Hashable, Sendable {
        /// A file of Headwind's host.
        case file
        /// The bytes of a connection in one direction; the path is then the link's name of the connection.
        case connection(Direction)
        /// Not bytes but moments that the client reports; ``HuntFault/request`` is the number of the report.
        case client(FaultSchedule.ClientMoment)
    }

    package init(identifier: String, path: String, size: Int64) {
        (self.identifier, self.path, self.size) = (identifier, path, size)
    }

    /// What the client reports, in the place of a download.
    init(_ moment: FaultSchedule.ClientMoment) {
        self.init(identifier: "client \(moment.rawValue)", path: "client \(moment.rawValue)", size: 0)
        medium = .client(moment)
    }
}

/// One thing that goes wrong in a hunt: a kind of fault, at a place of one download.
package struct HuntFault: Hashable, Sendable {
    package var kind: Kind
    package var pack: HuntPack
    /// The number of the request for the pack that it affects, from 1.
    package var request: Int
    /// The byte of the pack at which it happens, or for faults of packets the byte of the connection; 0 for kinds
    /// without a place.
    package var offset: Int64
    /// How long it lasts, in milliseconds; 0 for kinds without a duration.
    package var milliseconds: Int64
    /// How long after its place it comes, in milliseconds, as in the pause before the next try.
    ///
    /// It is 0 for most faults, and always for those of the host and of packets, of connections, and of what the client
    /// reports.
    package var wait: Int64

    /// Limits the offset to the pack, and the request to 1 or more.
    ///
    /// The duration is the longest of the kind if `milliseconds` is nil, or not above 0.
    package init(
        _ kind: Kind, of pack: HuntPack, request: Int = 1, offset: Int64 = 0, milliseconds: Int64? = nil,
        wait: Int64 = 0
    ) {
        self.kind = kind
        self.pack = pack
        self.request = max(1, request)
        // The host has no byte at the end of the pack.
        let last = kind.row.layer == .host ? max(0, pack.size - 1) : pack.size
        self.offset = kind.row.hasPlace ? min(max(0, offset), last) : 0
        let usual = kind.row.milliseconds.last ?? 0
        self.milliseconds = usual == 0 ? 0 : milliseconds.flatMap { $0 > 0 ? $0 : nil } ?? usual
        self.wait = kind.row.isOfMoment && pack.medium == .file ? min(max(0, wait), Self.longestWait) : 0
    }

    /// The lines of a schedule that make it happen.
    package var lines: [FaultSchedule.Line] { kind.row.lines(self) }

    /// How a good client copes with it; if it lasts more than a second, the client may also report an error.
    ///
    /// A client chooses its own timeout. A client that has a part of the pack, or requests ranges one after another, may
    /// take an ETag that is new, weak or missing for that of another edition.
    package var demand: Demand {
        // A killed client starts again with what it had stored, but the scenario may expect an empty store.
        if kind == .killed, case .client = pack.medium { return .reports }
        if kind == .changedETag || kind.row.traits.contains(.hidesEdition) { return .reports }
        return kind.row.demand == .bears && milliseconds > 1000 ? .reports : kind.row.demand
    }

    /// The class of places that it belongs to; clients tend to treat the places of a class alike.
    package var place: Place {
        guard kind.row.hasPlace else { return .answer }
        if wait > 0 { return .pause }
        switch offset {
        case 0: return .firstByte
        case pack.size...: return .end
        case (pack.size - 1)...: return .lastByte
        case (pack.size - Self.tail)...: return .tail
        case ..<Self.tail: return .beginning
        default: return .middle
        }
    }

    /// The bytes at the end of a body that count as its tail: fewer than the buffer of almost any client.
    package static let tail: Int64 = 4096
    /// The longest ``wait``, in milliseconds.
    package static let longestWait: Int64 = 60_000

    package enum Place: Sendable {
        /// The answer as a whole.
        case answer
        case firstByte, beginning, middle, tail, lastByte
        /// After the last byte.
        case end
        /// Some time after the byte.
        case pause
    }
}

extension HuntFault {
    /// What happens, as the end of a sentence that begins with "when": `request 2 gets status 503`.
    package var words: String { words(namingPack: false) }

    /// The same; with `namingPack`, as for a client of several packs: `request 2 for level-2 gets status 503`.
    package func words(namingPack: Bool) -> String { filled(kind.row.words, namingPack: namingPack) }

    /// A text of the table with what its names in braces stand for.
    func filled(_ text: String, namingPack: Bool = false) -> String {
        text.replacing(#/\{(\w+)\}/#) { self.text(of: $0.output.1, namingPack: namingPack) }
    }

    private func text(of name: Substring, namingPack: Bool) -> String {
        switch name {
        case "byte": byteText
        case "connection": connectionText(namingPack: namingPack)
        case "end": "\(pack.size + offset)"
        case "half": "\(max(1, pack.size / 2))"
        case "length": milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
        case "moment": momentText(namingPack: namingPack)
        case "number": "\(request)"
        case "offset": "\(offset)"
        case "path": pack.path
        case "request": requestText(namingPack: namingPack)
        case "size": "\(pack.size)"
        case "span": "for \(duration.text)\(wait > 0 ? "," : "") \(momentText(namingPack: namingPack))"
        case "time": duration.text
        case "twice": "\(pack.size * 2)"
        default: preconditionFailure("a row names '\(name)', which stands for no text")
        }
    }

    func host(_ action: String, tries: ClosedRange<Int>) -> FaultSchedule.Line {
        .host(.init(method: "GET", path: pack.lineName, from: pack.rangeStart ?? 0, tries: tries, action: action))
    }

    /// A fault of the packet that holds the byte at ``offset``, on the connection of the request.
    func packet(_ effect: PacketEffect, length: Int64? = nil) -> FaultSchedule.Line {
        var (name, direction) = (connectionName, Direction.downlink)
        if case .connection(let own) = pack.medium { (name, direction) = (pack.path, own) }
        return .packet(
            .init(
                connection: .named(name), direction: direction, place: .data(offset: offset, length: length),
                transmission: effect == .cut ? nil : 1, effect: effect))
    }

    private var connectionName: String { request == 1 ? pack.lineName : "\(pack.lineName)#\(request)" }

    /// The lines that change the link when the byte at ``offset`` arrives, or ``wait`` after it.
    ///
    /// Headwind's host pauses for 300 ms at that byte, so that the change happens there. Another party's host does not
    /// pause, and Headwind's has nothing to hold back behind the end, or after an answer that has ended.
    func waiting(_ change: FaultSchedule.LinkChange.Effect, until: FaultSchedule.Event? = nil) -> [FaultSchedule.Line] {
        if case .client(let moment) = pack.medium {
            return [.link(.init(effect: change, after: .client(moment, request), until: until))]
        }
        if case .connection(let direction) = pack.medium {
            let moment = FaultSchedule.Event.bytes(max(1, offset), direction, connection: .named(pack.path))
            return [.link(.init(effect: change, after: moment, until: until))]
        }
        // Other ranges of the pack arrive at the same time, so the bytes of the connection are counted.
        let moment =
            pack.rangeStart.map {
                FaultSchedule.Event.bytes(max(1, offset - $0), .downlink, connection: .named(connectionName))
            } ?? .packBytes(max(1, offset), pack: pack.identifier)
        // The link notices arrived bytes a moment late. The host's pause keeps further bytes from arriving before it
        // does.
        let stall = host("stall@\(max(1, offset)) for=300ms", tries: request...request)
        let pause = wait == 0 && max(1, offset) < pack.size ? [stall] : []
        return pause + [.link(.init(effect: change, after: moment, wait: .milliseconds(wait), until: until))]
    }

    var duration: Duration { .milliseconds(milliseconds) }

    private func requestText(namingPack: Bool) -> String {
        guard pack.medium == .file else { return connectionText(namingPack: namingPack) }
        let name = namingPack ? pack.identifier : nil
        let ofPack = name.map { " of \($0)" } ?? ""
        let wanted = pack.rangeStart.map { "the range from byte \($0)\(ofPack)" } ?? name
        return "request \(request)" + (wanted.map { " for \($0)" } ?? "")
    }

    private func connectionText(namingPack: Bool) -> String {
        if case .file = pack.medium { return "the connection of \(requestText(namingPack: namingPack))" }
        return "connection \(pack.path)"
    }

    /// When a fault of the link or of the client comes.
    private func momentText(namingPack: Bool) -> String {
        switch pack.medium {
        case .client(.callback): "at callback \(request) of the client"
        case .client(.progress): "at report \(request) of the client's progress"
        case .file, .connection: "\(byteText) of \(requestText(namingPack: namingPack))"
        }
    }

    private var byteText: String {
        // Packets are counted with the heads of requests and answers.
        if kind.row.layer == .packet {
            return switch pack.medium {
            case .file: "at byte \(offset) of its connection"
            case .connection(.downlink): "at byte \(offset) of what it receives"
            case .connection(.uplink): "at byte \(offset) of what it sends"
            case .client: ""
            }
        }
        let byte =
            switch offset {
            case 0: "the first byte"
            case pack.size...: "the last byte"
            default: "byte \(offset) of \(pack.size)"
            }
        if wait > 0 { return "\(Duration.milliseconds(wait).text) after \(byte)" }
        switch offset {
        case 0 where kind.row.layer == .host && kind != .corrupt: return "before \(byte)"
        case pack.size...: return "after \(byte)"
        default: return "at \(byte)"
        }
    }
}
