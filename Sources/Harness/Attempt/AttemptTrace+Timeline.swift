import LinkModel
import PackHost
import Results

extension AttemptTrace {
    /// Every event of the attempt on one clock, in order.
    func timeline(cell: String, attempt: Int) -> [TimelineEvent] {
        func event(
            _ at: Int64, _ source: TimelineEvent.Source, _ name: String, _ fields: [String: FieldValue] = [:]
        ) -> TimelineEvent {
            TimelineEvent(nanoseconds: at, cell: cell, attempt: attempt, source: source, name: name, fields: fields)
        }
        var events = [event(linkStart, .harness, "link-up"), event(clientStart, .harness, "client-start")]
        events += host.events.map {
            event($0.nanoseconds, .host, $0.kind.name, $0.kind.fields(connection: $0.connection))
        }
        events += link.events.map {
            event($0.at.nanoseconds, .link, $0.kind.name, $0.kind.fields(connection: $0.connection))
        }
        events += client.events.map { event($0.t, .client, $0.event, $0.fields) }
        events += foreignProgress.map { event($0.at, .client, "progress", ["fraction": .number($0.fraction)]) }
        events.append(event(clientEnd, .harness, "client-end"))
        return events.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds < $1.nanoseconds }
    }
}

extension ClientEvent {
    fileprivate var fields: [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        func add(_ name: String, _ value: FieldValue?) { if let value { fields[name] = value } }
        add("id", id.map(FieldValue.text))
        add("tags", tags.map { .text($0.joined(separator: " ")) })
        add("pack", pack.map(FieldValue.text))
        add("fraction", fraction.map(FieldValue.number))
        add("bytes", (bytes ?? completed).map(FieldValue.integer))
        add("total", total.map(FieldValue.integer))
        add("from", from.map(FieldValue.integer))
        add("status", status.map { .integer(Int64($0)) })
        add("domain", domain.map(FieldValue.text))
        add("code", code.map { .integer(Int64($0)) })
        add("class", errorClass.map(FieldValue.text))
        add("message", message.map(FieldValue.text))
        add("reason", reason.map(FieldValue.text))
        add("name", name.map(FieldValue.text))
        add("rule", rule.map(FieldValue.text))
        add("bundle", bundle.map(FieldValue.text))
        add("radio", radio.map(FieldValue.text))
        add("packs", packs.map { .text($0.joined(separator: " ")) })
        return fields
    }
}

extension HostEvent.Kind {
    fileprivate var name: String {
        switch self {
        case .opened: "opened"
        case .request: "request"
        case .fault: "fault"
        case .head: "head"
        case .finished: "finished"
        case .fileFault: "file-fault"
        case .refused: "refused"
        case .closed: "closed"
        case .listenerFailed: "listener-failed"
        }
    }

    fileprivate func fields(connection: Int) -> [String: FieldValue] {
        var fields: [String: FieldValue] = ["connection": .integer(Int64(connection))]
        switch self {
        case .opened(_, let port, let control):
            fields["port"] = .integer(Int64(port))
            fields["congestion_control"] = control.map(FieldValue.text)
        case .request(let request):
            fields["method"] = .text(request.method)
            fields["path"] = .text(request.path)
            fields["range"] = request.range.map(FieldValue.text)
            fields["try"] = request.number.map { .integer(Int64($0)) }
        case .fault(let line): fields["line"] = .text(line)
        case .head(let status, let length):
            fields["status"] = .integer(Int64(status))
            fields["length"] = length.map(FieldValue.integer)
        case .finished(let transfer):
            fields["from"] = .integer(transfer.from)
            fields["handed"] = .integer(transfer.handed)
            fields["cause"] = .text("\(transfer.cause)")
        case .fileFault(let reason), .listenerFailed(let reason): fields["reason"] = .text(reason)
        case .refused(let status, let reason):
            fields["status"] = .integer(Int64(status))
            fields["reason"] = .text(reason)
        case .closed(let end):
            fields["sent"] = .integer(end.sent)
            fields["cause"] = .text("\(end.cause)")
        }
        return fields
    }
}

extension LinkEvent.Kind {
    fileprivate var name: String {
        switch self {
        case .opened, .flow: "opened"
        case .keyed: "keyed"
        case .connected: "connected"
        case .refused: "refused"
        case .hostSide: "upstream-connected"
        case .delivered: "delivered"
        case .closed: "closed"
        case .conditions: "conditions"
        case .decision: "decision"
        }
    }

    fileprivate func fields(connection: Int) -> [String: FieldValue] {
        var fields: [String: FieldValue] = connection == 0 ? [:] : ["connection": .integer(Int64(connection))]
        switch self {
        case .opened(let door, let target, let key):
            fields["door"] = .text(door)
            fields["target"] = .text(target)
            fields["key"] = .text(key)
        case .flow(let transport, let target, let key, let port):
            fields["protocol"] = .integer(Int64(transport))
            fields["target"] = .text(target)
            fields["key"] = .text(key)
            fields["port"] = .integer(Int64(port))
        case .keyed(let key): fields["key"] = .text(key)
        case .connected: break
        case .refused(let refusal): fields["reason"] = .text(refusal)
        case .hostSide(let port): fields["port"] = .integer(Int64(port))
        case .delivered(let direction, let total):
            fields["direction"] = .text(direction.rawValue)
            fields["total"] = .integer(total)
        case .closed(let down, let up, let cause):
            fields["downlink"] = .integer(down)
            fields["uplink"] = .integer(up)
            fields["cause"] = .text(cause)
        case .conditions(let conditions, let generation):
            fields["generation"] = .integer(Int64(generation))
            fields["offline"] = conditions.offline.map { .text($0.rawValue) } ?? .unknown
            fields["downlink_rate"] = conditions.downlink.rate.map { .integer($0.bitsPerSecond) } ?? .unknown
            fields["uplink_rate"] = conditions.uplink.rate.map { .integer($0.bitsPerSecond) } ?? .unknown
        case .decision(let line): fields["line"] = .text(line)
        }
        return fields
    }
}
