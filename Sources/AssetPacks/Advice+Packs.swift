import PackFormat

extension Advice {
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
                    "\(count) file\(count == 1 ? "" : "s") of the type '\(type)' (\(found.kind)), such as '\(first)': "
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
        let place = "\(workloads) workload\(workloads == 1 ? "" : "s")"
        let unknown = opaque == 0 ? "" : "; Headwind cannot tell what \(opaque) of them request"
        let source = "the workloads given"
        return tags.filter { !requested.contains($0) }.sorted().map { tag in
            Advice(
                .warning, .unrequestedTag,
                message:
                    "nothing requests the tag '\(NameText.visible(tag))': no request of \(place) names it\(unknown)",
                value: 0, source: source)
        }
    }
}
