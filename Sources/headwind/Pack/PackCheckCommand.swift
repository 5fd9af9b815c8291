import ArgumentParser
import AssetPacks
import Documents
import FoundationEssentials
import LinkModel
import PackFormat
import Scenarios
import SystemPackage
import Wording

/// `headwind pack check`: whether packs match their manifest, and what a store would report about them.
struct PackCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check packs, or their source files, and give advice.",
        discussion: """
            It checks a folder of packs against its manifest, its checksums, a system's limits and Apple's advice. It \
            checks a folder of files (with a tags.json, --by-folder or --tags) against the limits and the advice, as \
            if it were built. It checks manifests of Background Assets (Manifest.json) with the files that they \
            select. It reports every problem; the exit status is 65 if one is more than a warning. It unpacks archives \
            into a temporary folder (TMPDIR).

              headwind pack check packs
              headwind pack check packs --limits ios-18 --format json
              headwind pack check AssetPacks/Tutorial/Manifest.json
              headwind pack check ./levels --by-folder --workload scenarios --app-size 40MB
            """
    )

    @Argument(
        help: "The folder of packs with a manifest, the folder of source files, or a Manifest.json.",
        completion: .file())
    var folder: String

    @OptionGroup var limits: LimitOptions

    @OptionGroup(title: "What the app does") var app: AdviceOptions

    @OptionGroup(title: "A folder of files") var files: CatalogOptions

    @OptionGroup var output: OutputOptions

    func run() async throws { try await Interruption.endsWell { try check() } }

    private func check() throws {
        if !files.isChosen, !files.allSlices, BackgroundPacks.isSource(folder) {
            try tell(ofBackgroundAssets())
        } else {
            try tell(files.allSlices ? ofAllSlices() : isCatalog ? ofFiles() : ofPacks())
        }
    }

    private var isCatalog: Bool {
        guard !files.isChosen else { return true }
        let tagFile = FilePath(folder).appending(AssetPacks.Catalog.tagFileName)
        return !PackListing.isThere(FilePath(folder)) && FileManager.default.fileExists(atPath: tagFile.string)
    }

    /// Problems, and how many packs were checked.
    private typealias Findings = (problems: [Advice], packs: Int)

    private func ofPacks() throws -> Findings {
        let listing = try PackListing(FilePath(folder))
        let check = PackFolderCheck(
            listing: listing, limits: try limits.chosen(for: listing.manifest.delivery), judge: limits.judge,
            appSize: app.appSize)
        let advice = try app.advice(on: Set(listing.manifest.resources.flatMap { listing.tags(of: $0) }))
        return (try check.problems() + advice, listing.manifest.resources.count)
    }

    /// Checks the files that the manifests of Background Assets select, as if they were packs.
    private func ofBackgroundAssets() throws -> Findings {
        let source = try BackgroundPacks.source(folder, files)
        let problems = BackgroundPacks.problems(of: source, limits: try limits.chosen(for: .backgroundAssets))
        return (problems.map(limits.judge.judged), source.packs.count)
    }

    /// Checks each variant of an app as if it were built, and all of them together.
    private func ofAllSlices() throws -> Findings {
        let variants = try SliceVariants(planning: files, of: folder, limits: limits.chosen(), appSize: app.appSize)
        let problems = variants.findings.map { variant, advice in
            var problem = advice.rule == .limit ? limits.judge.judged(advice) : advice
            problem.message = "\(variant): \(problem.message)"
            return problem
        }
        return (problems, variants.groups.map(\.report.packs.count).reduce(0, +))
    }

    private func ofFiles() throws -> Findings {
        let source = try files.source(folder, limits: limits.chosen())
        let report = try AssetPackBuilder(limits: limits.chosen()).plan(source, appSize: app.appSize)
        let over = report.findings.map { limits.judge.judged(Advice($0)) }
        let own = report.advice.filter { $0.rule != .preservation }
        let advice = try over + own + app.advice(on: source.tags, preset: source.preservation)
        return (advice, report.packs.count)
    }

    private func tell(_ findings: Findings) throws {
        let (problems, count) = findings
        let errors = problems.count { $0.severity == .error }
        switch output.format {
        case .json: try Console.json(problems)
        case .text:
            for problem in problems {
                Console.out("\(problem.severity.rawValue): \(problem.pack.map { "\($0): " } ?? "")\(problem.message)")
            }
            if errors == 0 { Console.out("\(folder): \(count.counted("pack")) in order") }
        }
        guard errors == 0 else {
            throw CommandFailure.invalidInput("found \(errors.counted("problem")) in '\(folder)'")
        }
    }
}

/// Options about how an app uses its packs, which the packs themselves do not say.
struct AdviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A scenario, a folder of them, or a workload of headwind-client (.json). Tags that none "
                + "of them requests are reported. May be repeated.",
            valueName: "file or folder"),
        completion: .file())
    var workload: [String] = []

    @Option(
        help: ArgumentHelp(
            "A preservation priority that the app sets, 0 to 1. May be repeated.", valueName: "tag=priority"))
    var preservation: [String] = []

    @Option(
        help: ArgumentHelp(
            "The size of the app without its packs, such as 40MB. It counts towards the initial install.",
            valueName: "size"),
        transform: { try ByteCount(parsing: $0).bytes })
    var appSize: Int64 = 0

    func validate() throws { _ = try priorities() }

    /// The given priorities, 0 to 1, by tag; throws `ValidationError` if a text is no priority.
    func priorities() throws -> [String: Double] {
        var priorities: [String: Double] = [:]
        for text in preservation {
            guard let equals = text.lastIndex(of: "="), equals != text.startIndex,
                let value = Double(text[text.index(after: equals)...]), (0...1).contains(value)
            else {
                throw ValidationError(
                    "--preservation '\(text)' is not of the form tag=priority, with a number from 0 to 1.")
            }
            priorities[String(text[..<equals])] = value
        }
        return priorities
    }

    /// The advice on these tags.
    ///
    /// `preset` are the priorities of a tag file; those of the command line replace them. Throws if a workload cannot
    /// be read.
    func advice(on tags: some Sequence<String>, preset: [String: Double] = [:]) throws -> [Advice] {
        let priorities = try preset.merging(priorities()) { $1 }
        var advice = [Advice.preservation(priorities)].compactMap { $0 }
        guard !workload.isEmpty else { return advice }
        var (requested, count, opaque) = (Set<String>(), 0, 0)
        for cell in try scenarios().flatMap(\.cells) {
            count += 1
            requested.formUnion(cell.workload.requests.flatMap(\.tags))
            if case .command = cell.workload { opaque += 1 }
        }
        for file in workload.map({ FilePath($0) }) where file.extension == "json" {
            count += 1
            requested.formUnion(try RequestedTags.read(file))
        }
        advice += Advice.unrequested(tags, requested: requested, workloads: count, opaque: opaque)
        return advice
    }

    private func scenarios() throws -> [Scenario] {
        let paths = workload.map { FilePath($0) }.filter { $0.extension != "json" }
        guard !paths.isEmpty else { return [] }
        return try ScenarioLoader(profiles: ProfileCommand.library()).load(paths)
    }
}

/// The tags that a workload of `headwind-client` requests.
enum RequestedTags {
    /// The tags of all requests in a file.
    ///
    /// It leaves the check of all other steps to the client. Throws ``CommandFailure`` if the file is no workload, with
    /// the line and the column, and `PackFormatError` if it cannot be read.
    static func read(_ file: FilePath) throws -> Set<String> {
        guard let text = String(validating: try SmallFile.read(file), as: UTF8.self) else {
            throw PackFormatError.fileNotRead(file, reason: "it is not UTF-8")
        }
        do {
            let workload = try JSONReader.read(text)
            var tags: Set<String> = []
            for step in try workload.required("steps").elements() {
                guard let request = try step.member("request") else { continue }
                for tag in try request.required("tags").elements() { tags.insert(try tag.text()) }
            }
            return tags
        } catch let problem {
            throw CommandFailure.invalidInput(
                "\(file):\(problem.mark): \(problem.reason), so it is not a workload: that is {\"steps\": "
                    + "[{\"request\": {\"id\": \"a\", \"tags\": [\"b\"]}}]}.")
        }
    }
}
