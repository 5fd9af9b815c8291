import ArgumentParser
import AssetPacks
import PackFormat
import SystemPackage

/// `headwind pack check`: whether a folder of packs is what its manifest says.
struct PackCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check packs against their manifest, their checksums and a system's limits.",
        discussion: """
            Every problem is told. The exit status is 65 if there is one that is more than a warning. Archives are \
            unpacked into a folder for temporary files (TMPDIR).

              headwind pack check packs
              headwind pack check packs --limits ios-18 --format json
            """
    )

    @Argument(help: "The folder that holds the manifest and the packs.", completion: .directory)
    var folder: String

    @OptionGroup var limits: LimitOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Interruption.endsWell { try check() }
    }

    private func check() throws {
        let listing: PackListing
        let problems: [PackFolderCheck.Problem]
        do {
            listing = try PackListing(FilePath(folder))
            problems = try PackFolderCheck(listing, limits: limits.chosen(), judge: limits.judge).problems()
        } catch let error as PackFormatError {
            throw CommandFailure(error)
        }
        let errors = problems.count { $0.severity == .error }
        switch output.format {
        case .json: try Console.json(problems)
        case .text:
            for problem in problems {
                Console.out("\(problem.severity.rawValue): \(problem.pack.map { "\($0): " } ?? "")\(problem.message)")
            }
            if errors == 0 {
                Console.out("\(folder): \(PackText.count(listing.manifest.resources.count, "pack")) in order")
            }
        }
        guard errors == 0 else {
            throw CommandFailure(
                status: .invalidInput, description: "found \(PackText.count(errors, "problem")) in '\(folder)'")
        }
    }
}
