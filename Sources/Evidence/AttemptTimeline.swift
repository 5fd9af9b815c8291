import Events
package import Results

/// Every event of an attempt on one clock.
package struct AttemptTimeline {
    let trace: AttemptTrace

    package init(_ trace: AttemptTrace) { self.trace = trace }

    /// The events in order, of a cell and the attempt's number.
    package func events(cell: String, attempt: Int) -> [TimelineEvent] {
        func event(_ told: some Encodable, by source: TimelineEvent.Source) -> TimelineEvent {
            TimelineEvent(told, source: source, cell: cell, attempt: attempt)
        }
        func moment(_ at: Int64, _ name: String) -> TimelineEvent {
            TimelineEvent(nanoseconds: at, cell: cell, attempt: attempt, source: .harness, name: name)
        }
        var events = [moment(trace.linkStart, "link-up"), moment(trace.clientStart, "client-start")]
        events += trace.host.events.map { event($0, by: .host) }
        events += trace.link.events.map { event($0, by: .link) }
        events += trace.client.events.map { event($0, by: .client) }
        // What was told as an event is there already.
        let told = Set(
            trace.client.events.filter { $0.kind == .progress }.compactMap { event in
                event.fraction.map { ProgressSample(at: event.t, fraction: $0) }
            })
        events += trace.client.progress.filter { !told.contains($0) }.map { sample in
            event(ClientEvent(.progress, at: sample.at) { $0.fraction = sample.fraction }, by: .client)
        }
        events.append(moment(trace.clientEnd, "client-end"))
        return events.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds < $1.nanoseconds }
    }
}
