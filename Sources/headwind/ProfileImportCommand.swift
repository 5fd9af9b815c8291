import ArgumentParser
import FoundationEssentials
import Glibc
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
            throw CommandFailure.invalidInput("there is no profile '\(profile)' in '\(file)'; \(hint)")
        }
        if profiles.count > 1, name != nil || output.map(Self.isFolder) != true {
            throw CommandFailure.usage(
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
                throw CommandFailure.usage(
                    "'\(name)' is not a valid profile name; write '\(ImportedProfile.name(for: name))'")
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

/// A profile, and the file to write it to; a nil path is stdout.
struct ProfileFile {
    let profile: Profile
    let path: FilePath?

    /// Throws ``CommandFailure`` if the file exists already, so that none is lost.
    static func checkAbsence(of path: FilePath) throws {
        guard FileManager.default.fileExists(atPath: path.string) else { return }
        throw CommandFailure.usage("could not write '\(path)': it already exists; remove it, or choose another file")
    }

    /// Writes the profile; `traces` are the names of the files of its traces.
    func write(traces: [Direction: String] = [:]) throws {
        let text = profile.text(traces: traces)
        guard let path else { return Console.out(TerminalText(report: String(text.dropLast()))) }
        try Self.write(Array(text.utf8), to: path)
        Console.note("wrote '\(path)'")
    }

    static func write(_ bytes: [UInt8], to path: FilePath) throws {
        do {
            let folder = path.removingLastComponent().string
            if !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            do { try file.closeAfter { _ = try file.writeAll(bytes) } } catch {
                unlink(path.string)
                throw error
            }
        } catch {
            throw CommandFailure(
                error.isNoSpace ? .infrastructure : .failed, "could not write '\(path)': \(error.systemReason)")
        }
    }
}

/// The files of traces, and their names in the profile.
struct TraceFiles {
    /// Their names in the profile: paths relative to its folder.
    let names: [Direction: String]
    /// The traces outside that folder, and the paths to copy them to.
    private let copies: [(bytes: [UInt8], path: FilePath)]

    /// Throws ``CommandFailure`` if the profile goes to stdout, and could not refer to the traces.
    init(downlink: ProfileImport.Trace, uplink: ProfileImport.Trace?, beside file: ProfileFile) throws {
        let folder = file.path?.removingLastComponent() ?? ""
        var copies: [(bytes: [UInt8], path: FilePath)] = []
        func name(_ trace: ProfileImport.Trace, _ direction: String) throws -> String {
            if let name = Self.name(of: trace.file, below: folder) { return name }
            guard file.path != nil else {
                throw CommandFailure.usage(
                    "the trace '\(trace.file)' is not below this folder, where the profile would look for it; use "
                        + "--output, which copies it")
            }
            let name = "\(file.profile.name).\(direction)"
            copies.append((trace.bytes, folder.appending(name)))
            return name
        }
        var names = [Direction.downlink: try name(downlink, "down")]
        names[.uplink] = try uplink.map { try name($0, "up") }
        self.names = names
        self.copies = copies
    }

    func checkAbsence() throws {
        for copy in copies { try ProfileFile.checkAbsence(of: copy.path) }
    }

    func copy() throws {
        for copy in copies { try ProfileFile.write(copy.bytes, to: copy.path) }
    }

    /// The path of a file relative to `folder`; nil if it is not inside, also through links.
    private static func name(of file: FilePath, below folder: FilePath) -> String? {
        let base = folder.isEmpty ? FilePath(".") : folder
        guard let whole = try? ContainedFile.resolve(file, below: base) else { return nil }
        var path = whole
        let root = FilePath(URL(filePath: base.string).resolvingSymlinksInPath().path)
        guard path.removePrefix(root), !path.isEmpty else { return nil }
        return path.string
    }
}
