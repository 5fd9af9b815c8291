extension LoaderEvent {
    /// Version of the events' form.
    ///
    /// A reader must pass over names and events that it does not know.
    package static let version = 1

    /// A line that begins an event of this name.
    package static func line(_ name: String, at time: Int64) -> JSONLine {
        var line = JSONLine()
        line.add("v", version)
        line.add("t", time)
        line.add("event", name)
        return line
    }

    /// The event as one line of JSON, not yet numbered.
    ///
    /// The form is written down in `docs/events.md`.
    package var line: JSONLine {
        switch kind {
        case .fetch, .response, .received, .retry, .verified, .stored, .purged: packLine
        case .request, .progress, .available, .error, .ended: requestLine
        case .conditional, .misuse, .paused, .resumed, .priority: callLine
        case .notification, .usage, .room: deviceLine
        case .app(let step): appLine(step)
        }
    }

    private func named(_ name: String) -> JSONLine { Self.line(name, at: time) }

    private func appLine(_ step: AppStep) -> JSONLine {
        var line = named(step.name)
        step.add(to: &line)
        return line
    }

    private var packLine: JSONLine {
        var line: JSONLine
        switch kind {
        case .fetch(let pack, let url, let from, let number):
            line = named("fetch")
            line.add("pack", pack)
            line.add("url", url)
            line.add("from", from)
            line.add("try", number)
        case .response(let pack, let status, let length, let from):
            line = named("response")
            line.add("pack", pack)
            line.add("status", status)
            line.add("length", length)
            line.add("from", from)
        case .retry(let pack, let after, let reason):
            line = named("retry")
            line.add("pack", pack)
            line.add("after", Double(after.nanoseconds) / 1e9)
            line.add("reason", reason)
        case .received(let pack, let bytes): line = sized("received", pack, bytes)
        case .verified(let pack, let bytes): line = sized("verified", pack, bytes)
        case .stored(let pack, let bytes): line = sized("stored", pack, bytes)
        case .purged(let pack, let bytes, let bundle):
            line = sized("purged", pack, bytes)
            line.add("bundle", bundle)
        default: preconditionFailure("only a pack's events come here")
        }
        return line
    }

    private func sized(_ name: String, _ pack: String, _ bytes: Int64) -> JSONLine {
        var line = named(name)
        line.add("pack", pack)
        line.add("bytes", bytes)
        return line
    }

    private var requestLine: JSONLine {
        var line: JSONLine
        switch kind {
        case .request(let id, let tags, let priority):
            line = named("request")
            line.add("id", id)
            line.add("tags", tags)
            line.add("priority", priority)
        case .progress(let id, let fraction, let completed, let total):
            line = named("progress")
            line.add("id", id)
            line.add("fraction", fraction)
            line.add("completed", completed)
            line.add("total", total)
        case .error(let id, let error):
            line = named("error")
            line.add("id", id)
            error.add(to: &line)
        case .available(let id):
            line = named("available")
            line.add("id", id)
        case .ended(let id):
            line = named("ended")
            line.add("id", id)
        default: preconditionFailure("only a request's events come here")
        }
        return line
    }

    private var callLine: JSONLine {
        var line: JSONLine
        switch kind {
        case .conditional(let id, let tags, let isAvailable):
            line = named("conditional")
            line.add("id", id)
            line.add("tags", tags)
            line.add("available", isAvailable)
        case .misuse(let id, let misuse):
            line = named("misuse")
            line.add("id", id)
            line.add("rule", misuse.rawValue)
            line.add("message", misuse.description)
        case .paused(let id):
            line = named("paused")
            line.add("id", id)
        case .resumed(let id):
            line = named("resumed")
            line.add("id", id)
        case .priority(let id, let priority):
            line = named("priority")
            line.add("id", id)
            line.add("priority", priority)
        default: preconditionFailure("only a call's events come here")
        }
        return line
    }

    private var deviceLine: JSONLine {
        var line: JSONLine
        switch kind {
        case .notification(let name):
            line = named("notification")
            line.add("name", name)
        case .room(let needed, let freed):
            line = named("room")
            line.add("needed", needed)
            line.add("freed", freed)
        case .usage(let stored, let inUse, let peak):
            line = named("usage")
            line.add("stored", stored)
            line.add("inUse", inUse)
            line.add("peak", peak)
        default: preconditionFailure("only the device's events come here")
        }
        return line
    }
}

extension JSONLine {
    /// Adds a priority: a number from 0 to 1, or `urgent`.
    fileprivate mutating func add(_ name: String, _ priority: LoadingPriority) {
        switch priority {
        case .normal(let value): add(name, value)
        case .urgent: add(name, "urgent")
        }
    }
}

extension ResourceError {
    /// Adds domain, code, class, message and cause to a line.
    package func add(to line: inout JSONLine) {
        line.add("domain", domain.rawValue)
        line.add("code", code)
        line.add("class", kind.rawValue)
        line.add("message", message)
        guard let underlying else { return }
        var cause = JSONLine()
        cause.add("domain", underlying.domain)
        cause.add("code", underlying.code)
        cause.add("message", underlying.message)
        line.add("underlying", cause)
    }
}
