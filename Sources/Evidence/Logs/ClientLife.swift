import Events
import Results
import Scenarios

/// What a client reported about an app's life: versions, bundles, radios, bytes received, and bytes used.
struct ClientLife: Sendable {
    /// A pack of a bundle.
    private struct Place: Hashable {
        var bundle: String
        var pack: String
    }

    /// The version of the app that runs; version 1 is installed first.
    private(set) var version = 1
    /// The bundle whose app runs; empty if there is only one.
    private(set) var bundle = ""
    /// Bytes of packs that were received, by the radio in use at the head of the answer.
    private(set) var bytesByRadio: [String: Int64] = [:]
    /// The uses in order: the request, and when it began to wait, in nanoseconds.
    private(set) var uses: [(id: String, since: Int64)] = []
    /// Calls that violate the order of a request's calls.
    private(set) var misuses: [(id: String, message: String)] = []
    private var radio = "wifi"
    private var radioOfAnswer: [String: String] = [:]
    /// The packs that are stored, and the version of the app that they belong to.
    private var stored: [Place: Int] = [:]
    /// Bytes received of packs that are not stored yet.
    private var arriving: [Place: Int64] = [:]
    /// Bytes received of stored packs that nothing has used.
    private var unused: [Place: Int64] = [:]
    private var lost: Int64 = 0

    /// Bytes received and not used so far.
    var wastedBytes: Int64 {
        (Array(arriving.values) + Array(unused.values)).reduce(lost) { $0.addingClamped($1) }
    }

    /// The packs of the running app's bundle, and the versions that they belong to.
    var held: [String: Int] {
        stored.reduce(into: [:]) { if $1.key.bundle == bundle { $0[$1.key.pack] = $1.value } }
    }

    /// The finding that the client violated the order of a request's calls; nil if it did not.
    var misuse: Finding? {
        guard let first = misuses.first else { return nil }
        let more = misuses.count - 1
        let text = "'\(first.id)': \(first.message.withoutFullStop)" + (more > 0 ? ", and \(more) more" : "")
        return Finding(.requestMisused, text)
    }

    /// Adds an event.
    mutating func note(_ event: ClientEvent) {
        switch event.kind {
        case .start:
            bundle = event.bundle ?? ""
            radio = event.radio ?? radio
        case .launch: bundle = event.bundle ?? ""
        case .update: version += 1
        case .radio: radio = event.radio ?? radio
        case .use: uses.append((event.id ?? "", event.t))
        case .used:
            for pack in event.packs ?? [] { unused[Place(bundle: bundle, pack: pack)] = nil }
        case .misuse:
            // The first 100 are enough.
            if misuses.count < 100 { misuses.append((event.id ?? "", event.message ?? event.rule ?? "")) }
        default: note(pack: event)
        }
    }

    private mutating func note(pack event: ClientEvent) {
        guard let pack = event.pack, event.isAboutPack else { return }
        let place = Place(bundle: event.bundle ?? bundle, pack: pack)
        switch event.kind {
        case .response: radioOfAnswer[pack] = radio
        case .received:
            let bytes = event.bytes ?? 0
            arriving[place] = (arriving[place] ?? 0).addingClamped(bytes)
            let by = radioOfAnswer[pack] ?? radio
            bytesByRadio[by] = (bytesByRadio[by] ?? 0).addingClamped(bytes)
        case .stored:
            // The bytes that it replaces were never used.
            lost = lost.addingClamped(unused[place] ?? 0)
            unused[place] = arriving.removeValue(forKey: place)
            stored[place] = version
        case .purged, .removed:
            lost = lost.addingClamped(unused.removeValue(forKey: place) ?? 0)
            stored[place] = nil
        default: break
        }
    }
}

extension ClientLog {
    /// The app's use of its resources.
    func observation(of workload: Workload) -> LifeObservation {
        guard exitStatus != nil else { return LifeObservation() }
        let bytes = life.bytesByRadio
        var seen = LifeObservation(wifiBytes: bytes["wifi"] ?? 0, cellularBytes: bytes["cellular"] ?? 0)
        let planned = workload.steps.count { if case .use = $0 { true } else { false } }
        guard planned > 0 else { return seen }
        seen.wastedBytes = life.wastedBytes
        let told = life.uses.map { use -> Int64? in
            // Each name is used only once.
            guard let request = requests.last(where: { $0.id == use.id }), request.isAvailable,
                let end = request.endedAt
            else { return nil }
            return max(0, end - use.since)
        }
        // Uses that the app did not reach, for example because it could not be installed.
        seen.waits = told + Array(repeating: nil, count: max(0, planned - told.count))
        return seen
    }
}
