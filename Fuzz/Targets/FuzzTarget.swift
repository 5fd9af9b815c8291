/// The fuzzed readers of outside bytes; `docs/explanation/security.md` says what each reads and asserts.
///
/// `Fuzz/run` passes them the inputs of libFuzzer, and the tests pass them all committed seeds and cases.
enum FuzzTarget: String, CaseIterable {
    case answer, archive, baseline, bundle, catalog, cell, client, conditioner, control, events, frames, hello,
        history, host, lists, manifest, marks, names, netlink, notation, packet, profile, proxy, result, scenario,
        schedule,
        socks,
        store

    /// Reads one input; throws a ``Finding`` if an invariant does not hold.
    var body: ([UInt8]) throws -> Void {
        switch self {
        case .answer: fuzzAnswer
        case .archive: fuzzArchive
        case .baseline: fuzzBaseline
        case .bundle: fuzzBundle
        case .catalog: fuzzCatalog
        case .cell: fuzzCell
        case .client: fuzzClient
        case .conditioner: fuzzConditioner
        case .control: fuzzControl
        case .events: fuzzEvents
        case .frames: fuzzFrames
        case .hello: fuzzHello
        case .history: fuzzHistory
        case .host: fuzzHost
        case .lists: fuzzLists
        case .manifest: fuzzManifest
        case .marks: fuzzMarks
        case .names: fuzzNames
        case .netlink: fuzzNetlink
        case .notation: fuzzNotation
        case .packet: fuzzPacket
        case .profile: fuzzProfile
        case .proxy: fuzzProxy
        case .result: fuzzResult
        case .scenario: fuzzScenario
        case .schedule: fuzzSchedule
        case .socks: fuzzSOCKS
        case .store: fuzzStore
        }
    }
}
