internal import LinkModel
internal import NIOCore

extension LinkEngine {
    /// Schedules the report of what a connection has delivered, and starts the meter if it does not run.
    func noteTraffic(of connection: Connection) {
        if !connection.isBusy {
            connection.isBusy = true
            busy.append(connection)
        }
        if reporter == nil {
            recordMeter()
            scheduleReport()
        }
    }

    func counters() -> ProxyCounters {
        var counters = counted
        counters.link = model.counters
        counters.droppedEvents = feed.dropped
        counters.open = connections.values.sorted { $0.id < $1.id }.map { connection in
            ProxyCounters.Connection(
                id: connection.id, key: connection.key, client: connection.client?.address.map { "\($0)" },
                target: connection.course?.target, serverName: connection.tlsName, proxy: connection.door?.name,
                downlink: connection.halves.downlink.delivered, uplink: connection.halves.uplink.delivered)
        }
        return counters
    }

    /// Records a sample of the bytes that the kernel has taken: those written, less those that still wait here.
    func recordMeter() {
        let taken = PerDirection<Int64> { direction in
            busy.reduce(counted.payload[direction]) { $0 - $1.unflushedBytes(direction) }
        }
        meter.record(taken, at: meterClock())
    }

    private func scheduleReport() {
        let delay = feed.hasDeliveryReaders ? Self.reportTime : Self.unreadReportTime
        reporter = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [self] in
            reporter = nil
            report()
        }
    }

    private func report() {
        recordMeter()
        let now = self.now
        busy.removeAll { connection in
            for direction in Direction.allCases where !connection.isEnded { connection.report(direction, now: now) }
            let isQuiet = Direction.allCases.allSatisfy { direction in
                let half = connection.halves[direction]
                return half.reported == half.delivered && connection.unflushedBytes(direction) == 0
            }
            if isQuiet || connection.isEnded { connection.isBusy = false }
            return !connection.isBusy
        }
        if !busy.isEmpty { scheduleReport() }
    }
}
