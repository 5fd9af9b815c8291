import ArgumentParser
import LinkModel
import PackFormat
import Scenarios
import SystemPackage
import Wording

/// `headwind profile import`: converts other tools' descriptions of links to profiles.
struct ProfileImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import profiles of other tools.",
        discussion: """
            It reads these files, and detects the format:

              property lists of Apple's Network Link Conditioner
              traces of Mahimahi and pantheon, the second one for the uplink
              scripts with lines of tc (netem, tbf, htb), comcast or tcset
              a connectivity.ini of WebPageTest
              JSON of Chrome DevTools' custom networks, and of tcshow

            stderr lists settings that a profile does not support.

              headwind profile import nlc.plist --profile 'My 3G' > my-3g.yaml
              headwind profile import shape.sh --output shape.yaml
              headwind profile import connectivity.ini --output ./profiles/
              headwind profile import nlc.plist --output ./profiles/
              headwind profile import lte.down lte.up --name drive --output drive.yaml

            A profile refers to traces by path, below its own folder: --output copies traces from elsewhere.
            """
    )

    @Argument(help: "The file to import, or the trace of the downlink.", completion: .file())
    var file: String

    @Argument(help: "The trace of the uplink.", completion: .file())
    var uplink: String?

    @Option(help: "The title of the profile, if the file has several.")
    var profile: String?

    @Option(help: "The profile's name: a-z, 0-9, '-' and '.'. (default: from its title or file)")
    var name: String?

    @Option(
        help: "The new file to write, or the folder for several profiles. (default: stdout)",
        completion: .file(extensions: ["yaml"]))
    var output: String?

    func run() async throws {
        switch try ProfileImport(FilePath(file), uplink: uplink.map { FilePath($0) }) {
        case .list(let list): try write(list.profiles, notes: list.notes)
        case .traces(let downlink, let uplink):
            let title = name ?? downlink.file.stem ?? "trace"
            let imported = ProfileImport.profile(downlink: downlink, uplink: uplink, title: title)
            let file = try named(imported, to: output.map { FilePath($0) })
            try write([file], copying: TraceFiles(downlink: downlink, uplink: uplink, beside: file))
        }
    }

    private func write(_ profiles: [ImportedProfile], notes: [String]) throws {
        for note in notes { Console.note("headwind: \(note)") }
        let chosen = try choose(from: profiles)
        if let only = chosen.first, chosen.count == 1 {
            try write([named(only, to: output.map { FilePath($0) })])
        } else {
            try write(chosen.map { try named($0, to: FilePath(output ?? "").appending("\($0.profile.name).yaml")) })
        }
    }

    /// The requested profile, or all of them if the output is a folder.
    private func choose(from profiles: [ImportedProfile]) throws -> [ImportedProfile] {
        let titles = profiles.map(\.profile.title)
        let list = titles.map { "'\($0)'" }.listed()
        if let profile {
            if let found = profiles.first(where: { $0.profile.title == profile || $0.profile.name == profile }) {
                return [found]
            }
            let hint = NearestName.hint(for: profile, in: titles) ?? "it has \(list)"
            throw CommandFailure(.invalidInput, "there is no profile '\(profile)' in '\(file)'; \(hint)")
        }
        if profiles.count > 1, name != nil || output.map(Self.isFolder) != true {
            throw CommandFailure(
                .usage,
                "there are \(profiles.count) profiles in '\(file)': \(list); choose one with --profile, or write all "
                    + "of them into a folder with --output DIR/")
        }
        return profiles
    }

    private static func isFolder(_ path: String) -> Bool {
        path.hasSuffix("/") || (try? FilePath(path).stat())?.type == .directory
    }

    /// The profile with the requested name, and its place; prints notes about what it leaves out.
    private func named(_ imported: ImportedProfile, to path: FilePath?) throws -> ProfileFile {
        for note in imported.notes { Console.note("headwind: \(note)") }
        var profile = imported.profile
        if let name {
            guard ImportedProfile.name(for: name) == name else {
                throw CommandFailure(
                    .usage, "'\(name)' is not a valid profile name; write '\(ImportedProfile.name(for: name))'")
            }
            profile.name = name
        }
        guard let path, Self.isFolder(path.string) else { return ProfileFile(profile: profile, path: path) }
        return ProfileFile(profile: profile, path: path.appending("\(profile.name).yaml"))
    }

    private func write(_ files: [ProfileFile], copying traces: TraceFiles? = nil) throws {
        for path in files.compactMap(\.path) { try ProfileFile.checkAbsence(of: path) }
        try traces?.checkAbsence()
        try traces?.copy()
        for file in files { try file.write(traces: traces?.names ?? [:]) }
    }
}
