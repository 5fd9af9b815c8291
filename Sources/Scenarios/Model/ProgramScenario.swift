import Documents
import LinkModel
import LinuxSupport
package import SystemPackage

/// A program in this machine's networks behind a link, as the text of a scenario.
package struct ProgramScenario: Sendable {
    /// A fault of the link: when it begins, its effect, and how long it lasts.
    package struct Fault: Sendable, Hashable {
        package var after: Duration
        /// The value of the fault's `link`: a way of being offline, or a profile.
        package var link: String
        /// nil: until another fault, or to the end.
        package var duration: Duration?

        package init(after: Duration, link: String, duration: Duration? = nil) {
            self.after = after
            self.link = link
            self.duration = duration
        }
    }

    /// The program and its arguments.
    package var words: [String]
    /// The absolute path of the folder that it runs in.
    package var directory: FilePath
    /// The name of a profile, or the path of its file.
    package var profile: String
    package var seed: UInt64 = 0
    package var fidelity = Link.Fidelity.any
    /// Ports of this machine that the program can reach on its own loopback.
    package var forwards: [UInt16] = []
    package var faults: [Fault] = []
    /// The file of a schedule to play; nil: none.
    package var schedule: FilePath?
    /// Whether each attempt runs in a folder of its own, empty at first, instead of ``directory``.
    package var hasOwnFolder = false
    /// The shell command that judges what the program left; nil: none.
    package var oracle: String?
    /// The expected exit status of the program.
    package var status: Int32 = 0
    package var attempts = 1
    /// The folder of the file with the text; nil: all paths are absolute.
    ///
    /// Paths are relative to the folder if it is ``directory`` or below.
    package var folder: FilePath?
    /// The time after which the program is ended; nil: a day, which is also the longest.
    package var deadline: Duration?

    package init(words: [String], directory: FilePath, profile: String) {
        self.words = words
        self.directory = directory
        self.profile = profile
    }

    private static let longestDeadline = Duration.seconds(86_400)
    /// The name of its cells.
    private static let name = "exec"

    /// The text of the scenario that reads back as this.
    package var text: String {
        let link: [(String, YAMLNode?)] = [
            ("profile", .made(reference(profile))), ("seed", .made("\(seed)")), ("fidelity", .made(fidelity.rawValue)),
        ]
        let command = YAMLNode.made(.list(words.map { .made(Template.escaping($0)) }))
        let faults = faults.map { fault in
            YAMLNode.made([
                ("after", .made(fault.after.text)), ("link", .made(reference(fault.link))),
                ("for", fault.duration.map { .made($0.text) }),
            ])
        }
        return YAMLNode.made([
            ("scenario", .made(title)), ("network", NetworkDecoder.node(forwarding: forwards)), ("link", .made(link)),
            ("workload", .made([("command", command), ("directory", hasOwnFolder ? nil : .made(path("./")))])),
            ("faults", faults.isEmpty ? nil : .made(.list(faults))),
            ("schedule", schedule.map { .made(path($0.string)) }),
            ("expect", expectation),
            ("attempts", attempts == 1 ? nil : .made("\(attempts)")),
            ("deadline", .made(min(deadline ?? Self.longestDeadline, Self.longestDeadline).text)),
        ]).text
    }

    /// The cell that is read from the text.
    ///
    /// Throws what no scenario may have, such as an argument of more than 128 KiB.
    package func cell(_ profiles: ProfileLibrary) throws(InvalidFiles) -> Cell {
        if let schedule { try checkSchedule(schedule) }
        let file = directory.appending("\(Self.name).yaml")
        let problems = Problems(file: "headwind exec")
        let bytes = Array(text.utf8)
        guard bytes.count <= YAMLText.mostBytes else {
            throw InvalidFiles(
                "the command is longer than the limit of \(YAMLText.mostBytes) bytes", file: problems.file,
                hint: "move it into a script")
        }
        let root = YAMLReader.read(bytes, problems)
        try problems.check()
        let source = ScenarioLoader.Source(file: file, name: Self.name)
        return try ScenarioLoader.scenario(root, source, ProfileLoader(library: profiles), problems).cells[0]
    }

    /// The expectations; nil: only status 0.
    private var expectation: YAMLNode? {
        guard status != 0 || oracle != nil else { return nil }
        return .made([("exit", .made("\(status)")), ("oracle", oracle.map { .made($0) })])
    }

    /// The program's name, for people.
    private var title: String {
        let name = words.first?.split(separator: "/").last.map { String($0.prefix(64)) } ?? ""
        return name.allSatisfy(\.isWhitespace) ? Self.name : "\(name) behind \(profile)"
    }

    private func reference(_ text: String) -> String { ProfileLibrary.isPath(text) ? path(text) : text }

    /// A path from ``directory``, as a path from ``folder`` if that is ``directory`` or below, or as an absolute path.
    private func path(_ text: String) -> String {
        guard !text.hasPrefix("/"), let path = folder?.path(to: text, in: directory) else {
            return directory.pushing(FilePath(text)).lexicallyNormalized().string
        }
        return path
    }
}

extension ProgramScenario {
    /// Throws the lines of the schedule that do not suit a program, with the file's path and line numbers.
    ///
    /// There is no scenario file that the errors could name. A file that is not a schedule is reported by the reader of
    /// the cell.
    private func checkSchedule(_ file: FilePath) throws(InvalidFiles) {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(directory.pushing(file), most: FaultSchedule.mostBytes)
        } catch {
            throw InvalidFiles("the schedule '\(file)' \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            let (list, numbers) = try? FaultSchedule.read(text)
        else { return }
        let problems = zip(list.lines, numbers).compactMap { line, number in
            Self.problem(line).map { message, hint in
                Diagnostic(file: file.string, mark: Mark(line: number, column: 1), message: message, hint: hint)
            }
        }
        if !problems.isEmpty { throw InvalidFiles(Array(problems.prefix(20))) }
    }

    private static func problem(_ line: FaultSchedule.Line) -> (String, hint: String)? {
        switch line {
        case .host:
            return ("only the built-in host plays faults, and there is no host here", "keep only lines L2 and link")
        case .link(let change) where [.clientKilled, .deviceFull].contains(change.effect):
            return ("only a scenario kills its client or fills a device", "keep only lines L2 and link")
        case .link(let change):
            for case let moment? in [change.after, change.until] {
                if moment.pack != nil { return ("packs are unknown here", "write a time, or bytes without a pack") }
                if case .client = moment {
                    return ("a program reports no progress and no callbacks here", "write a time, or bytes")
                }
            }
            return nil
        default: return nil
        }
    }
}

extension FilePath {
    /// The relative path from this folder to `text`, a path in `directory`; nil if this is not `directory` or below.
    ///
    /// It begins with `./` or `..`, as scenarios write paths.
    func path(to text: String, in directory: FilePath) -> String? {
        let (folder, whole) = (lexicallyNormalized(), directory.lexicallyNormalized())
        guard folder.starts(with: whole) else { return nil }
        let steps = folder.components.count - whole.components.count
        let path = FilePath(String(repeating: "../", count: steps) + text).lexicallyNormalized().string
        return path.hasPrefix("..") ? path : path == "." || path.isEmpty ? "./" : "./\(path)"
    }
}
