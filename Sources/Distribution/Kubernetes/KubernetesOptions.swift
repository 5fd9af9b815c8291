import LinuxSupport
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

/// Signed addresses in an object store: where the pod of a shard uploads its result, and where it is downloaded.
///
/// Anyone who has an address can use it. So no plan, stored manifest, error or report contains one.
struct ResultAddresses: Hashable, Sendable {
    struct Pair: Hashable, Sendable {
        var put: String
        var get: String
    }

    /// By shard number, from 1.
    let pairs: [Int: Pair]

    private static let mostBytes = 64 << 20
    private static let form = "write a shard's number, its upload address and its download address"

    /// Reads a file with one line for each shard, such as `3 https://… https://…`.
    init(_ file: FilePath, option: String) throws {
        let bytes = try BoundedFile.read(file, most: Self.mostBytes) {
            EngineError.option(option, reason: "the file \($0).")
        }
        guard bytes.count <= Self.mostBytes else {
            throw EngineError.option(option, reason: "the file is larger than \(Self.mostBytes >> 20) MiB.")
        }
        var pairs: [Int: Pair] = [:]
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.trimmed.isEmpty && !line.hasPrefix("#") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 3, let shard = Int(words[0]), shard > 0, words[1...].allSatisfy(Self.isPlain),
                pairs.updateValue(Pair(put: words[1], get: words[2]), forKey: shard) == nil
            else {
                // The line itself is secret.
                throw EngineError.option(option, reason: "line \(number + 1) of the file is wrong: \(Self.form).")
            }
        }
        self.pairs = pairs
    }

    /// Whether a configuration file of curl can have it in quotation marks.
    private static func isPlain(_ address: String) -> Bool {
        (address.hasPrefix("https://") || address.hasPrefix("http://"))
            && address.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
    }

    /// The configuration file for curl, which keeps the address out of the list of processes.
    static func configuration(_ address: String) -> String { "url = \"\(address)\"\n" }
}
