import LinkModel
package import SystemPackage

/// A program in this machine's networks behind a link, as the text of a scenario.
package struct ProgramScenario: Sendable {
    /// Something that happens to the link: what its effect is called, and how long it lasts.
    package struct Fault: Sendable, Hashable {
        package var after: Duration
        /// As `link` of a fault has it: a way of being offline, or a profile.
        package var link: String
        /// nil: until another one, or to the end.
        package var duration: Duration?

        package init(after: Duration, link: String, duration: Duration? = nil) {
            self.after = after
            self.link = link
            self.duration = duration
        }
    }

    /// The program and its arguments.
    package var words: [String]
    /// The folder that it runs in, by its whole path.
    package var directory: FilePath
    /// The name of a profile, or the path of its file.
    package var profile: String
    package var seed: UInt64 = 0
    package var fidelity = Link.Fidelity.any
    /// Ports of this machine that the program has on its own loopback.
    package var forwards: [UInt16] = []
    package var faults: [Fault] = []
    /// The file of a schedule that is played.
    package var schedule: FilePath?
    /// Whether each attempt has a folder of its own, which is empty at first, in the place of ``directory``.
    package var hasOwnFolder = false
    /// The command of a shell that judges what the program left; nil: none.
    package var oracle: String?
    /// The status that the program is to end with.
    package var status: Int32 = 0
    package var attempts = 1
    /// After how long the program is ended; nil: a day.
    package var deadline: Duration?

    package init(words: [String], directory: FilePath, profile: String) {
        self.words = words
        self.directory = directory
        self.profile = profile
    }

    private static let longestDeadline = Duration.seconds(86_400)
    private static let mostBytes = 1 << 20
    /// What cells of it are called.
    private static let name = "exec"

    /// The text that reads back as this.
    package var text: String {
        let link: [(String, YAMLNode?)] = [
            ("profile", .made(wholePath(profile))), ("seed", .made("\(seed)")), ("fidelity", .made(fidelity.rawValue)),
        ]
        let command = YAMLNode.made(.list(words.map { .made(Template.escaping($0)) }))
        let network: YAMLNode =
            forwards.isEmpty
            ? .made(NetworkDecoder.machine)
            : .made([("forward", .made(.list(forwards.map { .made("\($0)") })))])
        let faults = faults.map { fault in
            YAMLNode.made([
                ("after", .made(fault.after.text)), ("link", .made(wholePath(fault.link))),
                ("for", fault.duration.map { .made($0.text) }),
            ])
        }
        return YAMLNode.made([
            ("scenario", .made(title)), ("network", network), ("link", .made(link)),
            (
                "workload",
                .made([("command", command), ("directory", hasOwnFolder ? nil : .made(directory.string))])
            ),
            ("faults", faults.isEmpty ? nil : .made(.list(faults))),
            ("schedule", schedule.map { .made(wholePath($0.string)) }),
            ("expect", expectation),
            ("attempts", attempts == 1 ? nil : .made("\(attempts)")),
            ("deadline", .made(min(deadline ?? Self.longestDeadline, Self.longestDeadline).text)),
        ]).text
    }

    /// The cell that the text stands for.
    ///
    /// Throws everything that no scenario may have, such as an argument of more than 128 KiB.
    package func cell(_ profiles: ProfileLibrary) throws(InvalidFiles) -> Cell {
        if let schedule { try checkSchedule(schedule) }
        let file = directory.appending("\(Self.name).yaml")
        let problems = Problems(file: "headwind exec")
        let bytes = Array(text.utf8)
        if bytes.count > Self.mostBytes {
            problems.add(
                "the command is longer than the limit of \(Self.mostBytes) bytes", at: .start,
                hint: "move it into a script")
        }
        try problems.check()
        let root = YAMLReader.read(bytes, problems)
        try problems.check()
        let source = ScenarioLoader.Source(file: file, name: Self.name)
        return try ScenarioLoader.scenario(root, source, ProfileLoader(library: profiles), problems).cells[0]
    }

    /// What is expected of it; nil: a status of 0.
    private var expectation: YAMLNode? {
        guard status != 0 || oracle != nil else { return nil }
        return .made([("exit", .made("\(status)")), ("oracle", oracle.map { .made($0) })])
    }

    /// The program's name, for people.
    private var title: String {
        let name = words.first?.split(separator: "/").last.map { String($0.prefix(64)) } ?? ""
        return name.allSatisfy(\.isWhitespace) ? Self.name : "\(name) behind \(profile)"
    }

    /// A reference that is a path, as it is from anywhere.
    private func wholePath(_ reference: String) -> String {
        guard ProfileLibrary.isPath(reference) else { return reference }
        return directory.pushing(FilePath(reference)).lexicallyNormalized().string
    }
}
