import SystemPackage
import Wording

/// The options of a cluster, from `--engine-option`.
struct KubernetesOptions: Hashable, Sendable {
    struct Claim: Hashable, Sendable {
        var name: String
        var path: String
    }

    var image = ""
    /// Words for kubectl: the context and the namespace.
    var words: [String] = []
    /// The most shards that run at once; nil: all.
    var atOnce: Int?
    /// The processors of a pod, as request and limit in Kubernetes' notation.
    var processors: String?
    /// The memory of a pod, as request and limit in Kubernetes' notation.
    var memory: String?
    /// A volume claim with the same files as on this machine, and its mount path.
    var claim: Claim?
    /// The folder of packs in the pod's image.
    var packs: String?
    /// The upload and download addresses of results; nil: pods wait until their results are fetched.
    var results: ResultAddresses?

    private static let names =
        "image=NAME, namespace=NAME, context=NAME, at-once=COUNT, cpu=COUNT, memory=SIZE, volume=CLAIM:PATH, "
        + "packs=PATH and results-urls=FILE"

    /// Reads options; throws ``EngineError/option(_:reason:)``.
    init(_ texts: [String]) throws {
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty, !parts[1].hasPrefix("-") else {
                throw EngineError.option(text, reason: "kubernetes has the options \(Self.names).")
            }
            switch parts[0] {
            case "image": image = parts[1]
            case "namespace", "context": words.append("--\(parts[0])=\(parts[1])")
            case "cpu": processors = parts[1]
            case "memory": memory = parts[1]
            case "at-once":
                guard let count = Int(parts[1]), (1...10_000).contains(count) else {
                    throw EngineError.option(text, reason: "give the number of shards at once, from 1 to 10000.")
                }
                atOnce = count
            case "packs":
                guard parts[1].hasPrefix("/") else {
                    throw EngineError.option(text, reason: "give an absolute path in the pod, such as packs=/packs.")
                }
                packs = parts[1]
            case "results-urls": results = try ResultAddresses(FilePath(parts[1]), option: text)
            case "volume":
                let place = parts[1].split(separator: ":", maxSplits: 1).map(String.init)
                guard place.count == 2, place[1].hasPrefix("/"), place[1] != "/" else {
                    throw EngineError.option(
                        text, reason: "give a claim and an absolute path, such as volume=content:/content.")
                }
                claim = Claim(name: place[0], path: place[1])
            default: throw EngineError.option(text, reason: "kubernetes has the options \(Self.names).")
            }
        }
        guard !image.isEmpty else {
            throw EngineError.option(
                "image",
                reason:
                    "name the image of Headwind in your registry, such as image=registry.example.com/headwind:0.2.0.")
        }
    }
}
