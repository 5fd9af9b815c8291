import Events
package import Results

extension AttemptTrace {
    /// Every event of the attempt on one clock, in order.
    package func timeline(cell: String, attempt: Int) -> [TimelineEvent] {
        func event(_ told: some Encodable, by source: TimelineEvent.Source) -> TimelineEvent {
            TimelineEvent(told, source: source, cell: cell, attempt: attempt)
        }
        func moment(_ at: Int64, _ name: String) -> TimelineEvent {
            TimelineEvent(nanoseconds: at, cell: cell, attempt: attempt, source: .harness, name: name)
        }
        var events = [moment(linkStart, "link-up"), moment(clientStart, "client-start")]
        events += starts.dropFirst().map { moment($0.began, "client-start") }
        events += kills.map { moment($0.at, "client-killed") }
        events += playedFaults.filter { $0.fault.effect == .deviceFull }.map { moment($0.at, "device-full") }
        events += host.events.map { event($0, by: .host) }
        events += link.events.map { event($0, by: .link) }
        events += client.events.map { event($0, by: .client) }
        // Progress that was reported as an event is already in the list.
        let told = Set(
            client.events.filter { $0.kind == .progress }.compactMap { event in
                event.fraction.map { ProgressSample(at: event.t, fraction: $0) }
            })
        events += client.progress.filter { !told.contains($0) }.map { sample in
            event(ClientEvent(.progress, at: sample.at) { $0.fraction = sample.fraction }, by: .client)
        }
        events.append(moment(clientEnd, "client-end"))
        return events.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds < $1.nanoseconds }
    }
}
