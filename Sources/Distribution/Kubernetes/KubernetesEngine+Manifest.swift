import FoundationEssentials
import LinuxSupport
import ResultFiles
import SystemPackage

extension KubernetesEngine {
    /// The most bytes of all files; a ConfigMap may have 1 MiB.
    private static let mostFileBytes = 900_000

    package func draft(of submission: Submission) async throws -> String { try manifest(submission).text }

    func manifest(_ submission: Submission) throws -> KubernetesManifest {
        var manifest = KubernetesManifest(
            plan: context.plan, submission: submission, options: options, files: try files())
        if let text = context.plan.measuredDurations {
            guard manifest.files.reduce(text.utf8.count, { $0 + $1.text.utf8.count }) <= Self.mostFileBytes else {
                throw EngineError.option(
                    "durations",
                    reason:
                        "the list of \(context.plan.cells.joined().count) cells is too large for a ConfigMap. Leave it out."
                )
            }
            manifest.durations = .init(path: context.places.durations.string, text: text)
        }
        if let packs = context.places.givenPacks, let claim = options.claim, packs.starts(with: FilePath(claim.path)) {
            manifest.packs = packs.string
        }
        return manifest
    }

    /// The files of the plan; none if a volume has them.
    private func files() throws -> [KubernetesManifest.File] {
        guard options.claim == nil else { return [] }
        var left = Self.mostFileBytes
        var files: [KubernetesManifest.File] = []
        let advice = "Put the scenarios and their files into a volume: --engine-option volume=CLAIM:PATH."
        func add(_ path: FilePath) throws {
            guard !files.contains(where: { $0.path == path.string }) else { return }
            let bytes = try BoundedFile.read(path, most: left) {
                EngineError.file(path, reason: "it \($0). \(advice)")
            }
            left -= bytes.count
            guard left >= 0, let text = String(validating: bytes, as: UTF8.self) else {
                throw EngineError.file(path, reason: "it is too large for a ConfigMap, or not text. \(advice)")
            }
            files.append(.init(path: path.string, text: text))
        }
        for path in (context.plan.files ?? []).map({ FilePath($0) }) {
            guard path.isFolder else {
                try add(path)
                continue
            }
            for name in try FileManager.default.subpathsOfDirectory(atPath: path.string).sorted() {
                let inner = path.appending(name)
                if !inner.isFolder { try add(inner) }
            }
        }
        return files
    }
}
