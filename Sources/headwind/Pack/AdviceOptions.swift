import ArgumentParser
import AssetPacks
import Documents
import FoundationEssentials
import LinkModel
import PackFormat
import Scenarios
import SystemPackage

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
            "The size of the app without its packs, such as 40MB. It counts towards the initial "
                + "install.",
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
            throw CommandFailure(
                .invalidInput,
                "\(file):\(problem.mark): \(problem.reason), so it is not a workload: that is {\"steps\": "
                    + "[{\"request\": {\"id\": \"a\", \"tags\": [\"b\"]}}]}.")
        }
    }
}
