import FoundationEssentials

/// The pods of a job, as `kubectl get pods --output json` lists them.
struct KubernetesPods: Decodable, Sendable {
    struct Pod: Decodable, Sendable {
        var metadata: Metadata
        var spec: Spec?
        var status: Status?
    }

    struct Metadata: Decodable, Sendable {
        var name: String
        var annotations: [String: String]?
        var creationTimestamp: String?
    }

    struct Spec: Decodable, Sendable { var nodeName: String? }

    struct Status: Decodable, Sendable {
        var phase: String?
        var reason: String?
        var containerStatuses: [Container]?
        var conditions: [Condition]?
    }

    struct Condition: Decodable, Sendable {
        var type: String
        var status: String
        var reason: String?
        var message: String?
    }

    struct Container: Decodable, Sendable {
        var ready: Bool?
        var state: State?
    }

    struct State: Decodable, Sendable {
        var waiting: Reason?
        var terminated: End?
    }

    struct Reason: Decodable, Sendable { var reason: String? }

    struct End: Decodable, Sendable {
        var exitCode: Int32
        var reason: String?
    }

    var items: [Pod]

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    /// The newest pod of an index, and how many pods of the index its job counts.
    func newest(of index: Int) -> (pod: Pod, tries: Int)? {
        let own = items.filter { $0.index == index }
        let sorted = own.sorted { ($0.metadata.creationTimestamp ?? "") < ($1.metadata.creationTimestamp ?? "") }
        return sorted.last.map { ($0, own.count { !$0.isDisrupted }) }
    }
}

extension KubernetesPods.Pod {
    var index: Int? { metadata.annotations?["batch.kubernetes.io/job-completion-index"].flatMap { Int($0) } }

    var isRunning: Bool { status?.phase == "Running" && end == nil }

    /// Whether the shard's command has ended, and its result waits to be fetched.
    var isReady: Bool { isRunning && status?.containerStatuses?.first?.ready == true }

    var end: KubernetesPods.End? { status?.containerStatuses?.first?.state?.terminated }

    /// Why it does not run yet; nil if unknown.
    var waitsFor: String? {
        status?.containerStatuses?.first?.state?.waiting?.reason
            ?? status?.conditions?.first { $0.type == "PodScheduled" && $0.status == "False" }?.message
    }

    /// Whether the cluster evicted it; its job does not count that as a failure.
    var isDisrupted: Bool {
        status?.conditions?.contains { $0.type == "DisruptionTarget" && $0.status == "True" } ?? false
    }
}
