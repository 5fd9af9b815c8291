import ArgumentParser
import AssetPacks
import FoundationEssentials
import PackFormat
import SystemPackage
import Wording

/// `headwind pack build`: builds packs from a catalog.
struct PackBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build packs, a manifest and a tag table from a folder of files.",
        discussion: """
            It builds one pack for each distinct set of tags. The folder's tags.json assigns tags to files; with \
            --by-folder the name of a file's top folder is its tag. A pack over a limit is built and reported, and the \
            exit status is 65; with --as xcode that is a warning, with status 0. From a folder with manifests of \
            Background Assets (Manifest.json) it builds a pack for each, and a download manifest.

              headwind pack build ./levels --by-folder --output packs
              headwind pack build ./game --output packs --limit pack=64000000
              headwind pack build ./game --tags game/demo.json --output packs \\
                --url-prefix https://packs.example.com/
              headwind pack build ./AssetPacks --output assets
            """
    )

    @Argument(help: "The folder with the files.", completion: .directory)
    var catalog: String

    @OptionGroup var files: CatalogOptions

    @Option(name: .shortAndLong, help: "The folder for packs, manifest and tag table.", completion: .directory)
    var output: String

    @Option(help: "The prefix of each pack's URL in the manifest. (default: relative URLs)")
    var urlPrefix: String?

    @Flag(help: "Write packs as folders instead of archives; the host archives each when it serves it.")
    var folders = false

    @OptionGroup var limits: LimitOptions

    @OptionGroup var printed: OutputOptions

    func validate() throws {
        guard urlPrefix?.utf8.contains(UInt8(ascii: "#")) != true else {
            throw ValidationError(
                "--url-prefix has a '#': clients never send the text after it, so all packs would have the same address."
            )
        }
    }

    func run() async throws {
        try await Interruption.endsWell {
            guard files.isChosen || files.allSlices || !BackgroundPacks.isSource(catalog) else {
                return try buildBackgroundAssets()
            }
            try files.allSlices ? buildAllSlices() : build()
        }
    }

    /// Builds a pack from each manifest of Background Assets, and the download manifest.
    private func buildBackgroundAssets() throws {
        guard !folders else {
            throw CommandFailure.usage("--folders works only for On-Demand Resources; leave it out.")
        }
        let source = try BackgroundPacks.source(catalog, files)
        let problems = BackgroundPacks.problems(of: source, limits: try limits.chosen(for: .backgroundAssets))
        let manifest = try source.build(to: place(), urlPrefix: urlPrefix)
        try printed.print(
            manifest.resources.map { $0.json(tags: nil) }, lines: BackgroundPacks.table(manifest))
        for problem in problems {
            Console.note("\(problem.severity.rawValue): \(problem.pack.map { "\($0): " } ?? "")\(problem.message)")
        }
        Console.note("the archives are zips for Headwind's host and client; for devices run Apple's ba-package")
        try refuse(problems.count { limits.judge.severity($0.severity) == .error })
    }

    private func refuse(_ errors: Int) throws {
        guard errors == 0 else {
            throw CommandFailure.invalidInput(
                "the packs are built, but a store refuses them for \(errors.counted("reason"))")
        }
    }

    private func build() throws {
        let builder = try AssetPackBuilder(
            limits: limits.chosen(), form: folders ? .folder : .archive, urlPrefix: urlPrefix)
        var report = try builder.build(files.source(catalog, limits: limits.chosen()), to: place())
        for index in report.findings.indices {
            report.findings[index].severity = limits.judge.severity(report.findings[index].severity)
        }
        switch printed.format {
        case .json: try Console.json(report)
        case .text: tell(report)
        }
        let errors = report.findings.count { $0.severity == .error }
        let refused = report.advice.count { $0.severity == .error }
        guard errors + refused == 0 else {
            let over = errors == 0 ? [] : ["exceed \(errors) of the limits \(report.limits)"]
            let held = refused == 0 ? [] : ["contain \(refused.counted("file")) that no store accepts"]
            throw CommandFailure.invalidInput("the packs are built, but \((over + held).joined(separator: ", and "))")
        }
    }

    /// Builds every variant of an app, each in its own folder, and compares each with the limits.
    private func buildAllSlices() throws {
        let (chosen, output) = (try limits.chosen(), try place())
        let builder = AssetPackBuilder(limits: chosen, form: folders ? .folder : .archive, urlPrefix: urlPrefix)
        let variants = try SliceVariants(files, of: catalog, limits: chosen) {
            try builder.build($0, to: output.appending($1))
        }
        try printed.print(variants.groups.map(\.json), lines: variants.table)
        var errors = 0
        for (variant, advice) in variants.findings {
            let severity = (advice.rule == .limit ? limits.judge.judged(advice) : advice).severity
            errors += severity == .error ? 1 : 0
            Console.note("\(severity.rawValue): \(variant): \(advice.message)")
        }
        try refuse(errors)
    }

    /// The output folder, which must not be inside the catalog: the next build would pack the packs.
    private func place() throws -> FilePath {
        func standard(_ path: String) -> FilePath {
            FilePath(URL(filePath: path).standardizedFileURL.path(percentEncoded: false)).lexicallyNormalized()
        }
        guard !standard(output).starts(with: standard(catalog)) else {
            throw CommandFailure.usage(
                "the output '\(output)' is inside the catalog '\(catalog)'; choose another folder")
        }
        return FilePath(output)
    }

    private func tell(_ report: BuildReport) {
        Console.out(lines: PackText.table(report.packs))
        if urlPrefix?.utf8.contains(UInt8(ascii: "?")) == true {
            Console.note(
                "warning: the URLs have the packs' names in the query; Headwind's host and client identify a pack "
                    + "by its path, so these packs need another host, and apps on devices")
        }
        if !report.bundled.isEmpty {
            Console.note(
                report.bundled.count == 1
                    ? "1 file has no tag and is in no pack: it belongs in the app's bundle"
                    : "\(report.bundled.count) files have no tag and are in no pack: they belong in the app's bundle")
        }
        for finding in report.findings { Console.note("\(finding.severity.rawValue): \(finding.description)") }
        for advice in report.advice { Console.note("\(advice.severity.rawValue): \(advice.message)") }
    }
}
