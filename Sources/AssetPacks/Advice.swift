import PackFormat
import Wording

/// A problem of packs or of their app: an error, something that a store refuses, or that is not recommended.
package struct Advice: Hashable, Sendable, Codable {
    /// The subject of the advice.
    package enum Rule: String, Hashable, Sendable, Codable {
        case executable
        case fileType = "file-type"
        case limit
        case preservation
        case unrequestedTag = "unrequested-tag"
    }

    /// Whether a store refuses it.
    package var severity: LimitFinding.Severity
    /// The rule that it breaks; nil if it breaks none of them.
    package var rule: Rule?
    /// The pack's identifier; nil if it concerns no pack, or several.
    package var pack: String?
    /// A sentence without a full stop, which contains number and source.
    package var message: String
    /// The number that was counted, in bytes for sizes; nil if there is none.
    package var value: Int64?
    /// The limit for ``value``; nil if there is none.
    package var limit: Int64?
    /// The source of the rule; nil if it breaks none.
    package var source: String?

    package init(
        _ severity: LimitFinding.Severity, _ rule: Rule? = nil, pack: String? = nil, message: String,
        value: Int64? = nil, limit: Int64? = nil, source: String? = nil
    ) {
        (self.severity, self.rule, self.pack, self.message) = (severity, rule, pack, message)
        (self.value, self.limit, self.source) = (value, limit, source)
    }

    /// A finding about limits as advice.
    package init(_ finding: LimitFinding) {
        self.init(
            finding.severity, .limit, message: finding.description, value: finding.value, limit: finding.limit,
            source: finding.source)
    }

    /// Advice on the files that packs are made of; throws `fileNotRead` for a file that cannot be read.
    static func files(of catalog: Catalog, _ plans: [PackPlan]) throws -> [Advice] {
        try plans.flatMap { plan in
            var code: [String: ExecutableCode] = [:]
            for path in plan.resources.map(\.path) { code[path] = try .init(file: catalog.root.appending(path)) }
            return files(plan.resources.map(\.path), code: code, pack: plan.identifier)
        }
    }

    /// Advice on the files of one pack.
    ///
    /// `code` has the kind of each file that is code; see ``ExecutableCode``. Each such file gets its own error. Other
    /// files outside of Apple's table get one warning per type.
    package static func files(
        _ paths: [String], code: [String: ExecutableCode], pack: String?
    ) -> [Advice] {
        let source = ResourceType.source
        var (advice, byType) = ([Advice](), [String: (kind: String, paths: [String])]())
        for path in paths.sorted() {
            if let kind = code[path] {
                let text =
                    "'\(NameText.visible(path))' is code (\(kind.rawValue)); on-demand resources must not be code, except scripts"
                advice.append(
                    Advice(
                        .error, .executable, pack: pack, message: "\(text) (\(source))", value: 1, limit: 0,
                        source: source))
            } else if let type = ResourceType.outsideTable(path) {
                byType[type.name, default: (type.kind, [])].paths.append(path)
            }
        }
        return advice
            + byType.sorted { $0.key < $1.key }.map { type, found in
                let count = found.paths.count
                let first = NameText.visible(found.paths[0])
                let text =
                    "\(count.counted("file")) of the type '\(type)' (\(found.kind)), such as '\(first)': "
                    + "not a type for on-demand resources (\(source)); put \(count == 1 ? "it" : "them") into the app's bundle"
                return Advice(
                    .warning, .fileType, pack: pack, message: text, value: Int64(count), limit: 0, source: source)
            }
    }

    /// Advice on an app's preservation priorities, if all are 1.0; nil if one is lower, or if there are fewer than two.
    package static func preservation(_ priorities: [String: Double]) -> Advice? {
        guard priorities.count > 1, priorities.values.allSatisfy({ $0 == 1 }) else { return nil }
        let source = "NSBundle.h, setPreservationPriority"
        return Advice(
            .warning, .preservation,
            message:
                "all \(priorities.count) preservation priorities are 1.0, so they have no effect: only their order "
                + "counts (\(source)); give 1.0 to the tags that you need most, and less to the rest",
            value: Int64(priorities.count), source: source)
    }

    /// Advice on tags that no request asks for.
    ///
    /// `workloads` is the number of workloads that were checked. `opaque` is how many of them are programs whose
    /// requests cannot be known.
    package static func unrequested(
        _ tags: some Sequence<String>, requested: Set<String>, workloads: Int, opaque: Int
    ) -> [Advice] {
        let unknown = opaque == 0 ? "" : "; Headwind cannot tell what \(opaque) of them request"
        let source = "the workloads given"
        return tags.filter { !requested.contains($0) }.sorted().map { tag in
            Advice(
                .warning, .unrequestedTag,
                message:
                    "nothing requests the tag '\(NameText.visible(tag))': no request of "
                    + "\(workloads.counted("workload")) names it\(unknown)",
                value: 0, source: source)
        }
    }
}
