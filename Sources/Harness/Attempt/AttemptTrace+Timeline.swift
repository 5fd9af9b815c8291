import Events
import LinkModel
import PackHost
import Results

extension AttemptTrace {
    /// Every event of the attempt on one clock, in order.
    func timeline(cell: String, attempt: Int) -> [TimelineEvent] {
        func event(_ at: Int64, _ source: TimelineEvent.Source, _ told: Told, connection: Int? = nil) -> TimelineEvent {
            var fields = told.fields.compactMapValues { $0 }
            fields["connection"] = connection.map { .integer(Int64($0)) }
            return TimelineEvent(
                nanoseconds: at, cell: cell, attempt: attempt, source: source, name: told.name, fields: fields)
        }
        var events = [
            event(linkStart, .harness, ("link-up", [:])), event(clientStart, .harness, ("client-start", [:])),
        ]
        events += host.events.map { event($0.nanoseconds, .host, $0.told, connection: $0.connection) }
        events += link.events.map {
            event($0.at.nanoseconds, .link, $0.told, connection: $0.connection == 0 ? nil : $0.connection)
        }
        events += client.events.map { event($0.t, .client, ($0.event, $0.fields)) }
        // What was told as an event is there already.
        let told = Set(
            client.events.filter { $0.kind == .progress }.compactMap { event in
                event.fraction.map { ProgressSample(at: event.t, fraction: $0) }
            })
        events += foreignProgress.filter { !told.contains($0) }.map {
            event($0.at, .client, (ClientEvent.Kind.progress.rawValue, ["fraction": .number($0.fraction)]))
        }
        events.append(event(clientEnd, .harness, ("client-end", [:])))
        return events.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds < $1.nanoseconds }
    }
}

extension ClientEvent {
    /// The members as a line of `events.jsonl` has them: texts are joined, and what is in an object has its name before it.
    fileprivate var fields: [String: FieldValue?] {
        members.reduce(into: [:]) { fields, member in
            guard case .members(let inner) = member.value else { return fields[member.name] = FieldValue(member.value) }
            for part in inner { fields["\(member.name).\(part.name)"] = FieldValue(part.value) }
        }
    }
}

extension FieldValue {
    fileprivate init(_ value: MemberValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .flag(let flag): self = .flag(flag)
        case .texts(let texts): self = .text(texts.joined(separator: " "))
        case .members: self = .unknown
        }
    }
}

/// What happened, as a line of `events.jsonl` has it.
private typealias Told = (name: String, fields: [String: FieldValue?])

extension HostEvent {
    fileprivate var told: Told {
        switch kind {
        case .opened(_, let port, let control):
            ("opened", ["port": .integer(Int64(port)), "congestion_control": control.map(FieldValue.text)])
        case .request(let request):
            (
                "request",
                [
                    "method": .text(request.method), "path": .text(request.path),
                    "range": request.range.map(FieldValue.text), "try": request.number.map { .integer(Int64($0)) },
                ]
            )
        case .fault(let line): ("fault", ["line": .text(line)])
        case .head(let status, let length):
            ("head", ["status": .integer(Int64(status)), "length": length.map(FieldValue.integer)])
        case .finished(let transfer):
            (
                "finished",
                [
                    "from": .integer(transfer.from), "handed": .integer(transfer.handed),
                    "cause": .text("\(transfer.cause)"),
                ]
            )
        case .fileFault(let reason): ("file-fault", ["reason": .text(reason)])
        case .refused(let status, let reason):
            ("refused", ["status": .integer(Int64(status)), "reason": .text(reason)])
        case .closed(let end): ("closed", ["sent": .integer(end.sent), "cause": .text("\(end.cause)")])
        case .listenerFailed(let reason): ("listener-failed", ["reason": .text(reason)])
        }
    }
}

extension LinkEvent {
    fileprivate var told: Told {
        switch kind {
        case .opened(let door, let target, let key):
            ("opened", ["door": .text(door), "target": .text(target), "key": .text(key)])
        case .flow(let transport, let target, let key, let port):
            (
                "opened",
                [
                    "protocol": .integer(Int64(transport)), "target": .text(target), "key": .text(key),
                    "port": .integer(Int64(port)),
                ]
            )
        case .keyed(let key): ("keyed", ["key": .text(key)])
        case .connected: ("connected", [:])
        case .refused(let refusal): ("refused", ["reason": .text(refusal)])
        case .hostSide(let port): ("upstream-connected", ["port": .integer(Int64(port))])
        case .delivered(let direction, let total):
            ("delivered", ["direction": .text(direction.rawValue), "total": .integer(total)])
        case .closed(let down, let up, let cause):
            ("closed", ["downlink": .integer(down), "uplink": .integer(up), "cause": .text(cause)])
        case .conditions(let conditions, let generation):
            (
                "conditions",
                [
                    "generation": .integer(Int64(generation)),
                    "offline": conditions.offline.map { .text($0.rawValue) } ?? .unknown,
                    "downlink_rate": conditions.downlink.rate.map { .integer($0.bitsPerSecond) } ?? .unknown,
                    "uplink_rate": conditions.uplink.rate.map { .integer($0.bitsPerSecond) } ?? .unknown,
                ]
            )
        case .decision(let line): ("decision", ["line": .text(line)])
        }
    }
}
