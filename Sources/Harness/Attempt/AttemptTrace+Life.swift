import Results
import Scenarios

extension AttemptTrace {
    /// What was seen of the app's use of its resources.
    func life(_ workload: Workload) -> LifeObservation {
        guard client.exitStatus != nil else { return LifeObservation() }
        let bytes = client.life.bytesByRadio
        var life = LifeObservation(wifiBytes: bytes["wifi"] ?? 0, cellularBytes: bytes["cellular"] ?? 0)
        let planned = workload.steps.count { if case .use = $0 { true } else { false } }
        guard planned > 0 else { return life }
        life.wastedBytes = client.life.wastedBytes
        let told = client.life.uses.map { use -> Int64? in
            // Names are not used twice.
            guard let request = client.requests.last(where: { $0.id == use.id }), request.isAvailable,
                let end = request.endedAt
            else { return nil }
            return max(0, end - use.since)
        }
        // Those that an app did not come to, because it could not be installed.
        life.waits = told + Array(repeating: nil, count: max(0, planned - told.count))
        return life
    }

    /// That the client broke the order of a request's calls.
    var misuseFindings: [Finding] {
        guard let first = client.life.misuses.first else { return [] }
        let more = client.life.misuses.count - 1
        let text = "'\(first.id)': \(first.message.withoutFullStop)" + (more > 0 ? ", and \(more) more" : "")
        return [Finding(.requestMisused, text)]
    }
}
