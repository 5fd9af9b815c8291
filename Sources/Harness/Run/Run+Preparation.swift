import Documents
import Evidence
import LinuxSupport
import PackFormat
import ProcessGuard
import Redaction
import Results
import Scenarios
import SystemPackage
import Wording

extension Run {
    /// Makes the checks that need the content of scenarios, as ``perform()`` does before it starts; runs nothing.
    ///
    /// Throws the errors of ``perform()``.
    package func check() async throws {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            try prepare(ContentStore(scratch: scratch, packs: builtPacks))
        }
    }

    /// Builds what the cells serve, and makes the checks that need it, so that nothing starts before all files are
    /// right.
    ///
    /// Throws `InvalidFiles` with all problems of the user's files, and ``HarnessError/noRoom(_:_:)`` or
    /// ``HarnessError/notWritten(_:reason:)`` if it cannot be built.
    func prepare(_ contents: ContentStore) throws {
        var diagnostics: [Diagnostic] = []
        for scenario in scenarios {
            for cell in scenario.cells {
                diagnostics += scenario.programProblems(of: cell).filter { !diagnostics.contains($0) }
                diagnostics += comparisonProblems(of: cell, in: scenario).filter { !diagnostics.contains($0) }
                do {
                    if case .host(let host) = cell.content, let variable = host.tokenVariable,
                        Environment.value(variable) == nil
                    {
                        throw HarnessError.variableMissing(variable)
                    }
                    guard let content = try contents.prepare(cell) else { continue }
                    inspect(content)
                    diagnostics += scenario.packProblems(of: cell, content)
                    diagnostics += scenario.deadlineProblems(of: cell, content, option: cellDeadlineOption)
                    diagnostics += scenario.budgetProblems(of: cell, content).filter { !diagnostics.contains($0) }
                    _ = try cell.scheduledHostFaults(content)
                } catch let error as InvalidFiles {
                    diagnostics += error.diagnostics
                } catch let error as HarnessError where error.attribution == .scratchDiskFull {
                    throw error
                } catch {
                    if error.isNoSpace { throw HarnessError.noRoom(contents.scratch, error.systemReason) }
                    diagnostics.append(scenario.diagnostic(error.systemReason, at: scenario.contentMark))
                    // The scenario's other cells mostly serve the same packs.
                    break
                }
            }
        }
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
    }

    /// The secrets that the run itself sends to hosts, which are removed from everything that is written.
    func secrets(of cells: [Cell]) -> HostSecrets {
        var hosts: Set<RemoteHost> = []
        for case .host(let host) in cells.map(\.content) { hosts.insert(host) }
        var secrets = HostSecrets()
        for host in hosts {
            secrets.add(host, token: host.tokenVariable.flatMap { Environment.value($0) })
        }
        if case .interleaved(.host(let manifest))? = comparison { secrets.add(url: manifest) }
        return secrets
    }

    /// The problem that the attempts are too few to tell a regression from chance.
    private func comparisonProblems(of cell: Cell, in scenario: Scenario) -> [Diagnostic] {
        guard let comparison, !comparison.leavesOut, cell.isCompared else { return [] }
        let count = comparedCells ?? scenarios.flatMap(\.cells).count(where: \.isCompared)
        let stored = comparison.storedAttempts(of: cell.nameInBaselines)
        let needed = CellPlan(cell, over: .any).neededAttempts(cells: count, stored: stored)
        if let needed, needed <= cell.attempts.max { return [] }
        let message =
            "\(count) cells are compared: at most \(cell.attempts.max) attempts"
            + (stored.map { " against \($0) of the baseline" } ?? " of each side")
            + " cannot tell a regression from chance"
        let hint =
            needed.map { "write 'attempts: {min: \(cell.attempts.min), max: \($0)}'" }
            ?? "make a baseline with more attempts"
        return [scenario.diagnostic(message, at: scenario.contentMark, hint: hint)]
    }
}

extension Scenario {
    /// Problems of the packs that a cell names.
    fileprivate func packProblems(of cell: Cell, _ content: PreparedContent) -> [Diagnostic] {
        let faulty = cell.hostFaults.map(\.pack).filter { !["*", "manifest", "tag-table"].contains($0) }
        let triggers = cell.linkFaults.compactMap(\.trigger.pack)
        let named = faulty + triggers + cell.singlePacks + cell.expectations.namedPacks + cell.omitted
        let missing = named.filter { content.packs(named: $0).isEmpty }
        let known = Set(([content] + content.updates).flatMap(\.tagTable.packsByTag.keys)).sorted()
        return unaskedFaults(of: cell) + unaskedPacks(of: cell, content) + unknownTags(of: cell, known: known)
            + missing.map { name in
                let hint = NearestName.hint(for: name, in: known) ?? "the tags are \(known.listed())"
                return diagnostic("no downloaded pack has the name or tag '\(name)'", for: name, hint: hint)
            }
            + cell.singlePacks.filter { !missing.contains($0) && content.pack(named: $0) == nil }.map { name in
                let names = content.packs(named: name).map {
                    $0.tags.count > 1 ? $0.tags.joined(separator: "+") : $0.identifier
                }
                return diagnostic(
                    "'\(name)' means \(names.count) packs, and this needs one", for: name,
                    hint: "name one of them: \(names.sorted().listed())")
            }
    }

    /// Unknown tags of requests that must become available, which are mistakes rather than tests of an error.
    private func unknownTags(of cell: Cell, known: [String]) -> [Diagnostic] {
        cell.workload.requests.filter { cell.expectations.areAvailable($0.id) }
            .flatMap(\.tags).filter { !known.contains($0) }
            .map { tag in
                let hint = NearestName.hint(for: tag, in: known) ?? "the tags are \(known.listed())"
                return diagnostic("no downloaded pack has the tag '\(tag)'", for: tag, hint: hint)
            }
    }

    /// Faults of the manifest that never happen: the built-in client has it as a file, unless it fetches it.
    private func unaskedFaults(of cell: Cell) -> [Diagnostic] {
        guard case .requests = cell.workload, !cell.fetchesManifest else { return [] }
        let unasked = Set(cell.hostFaults.map(\.pack)).intersection(Self.lists).sorted()
        return unasked.map {
            diagnostic(
                "the built-in client never asks the host for '\($0)', so its fault would never happen", for: $0,
                hint: "write 'manifest: fetched'")
        }
    }

    /// Names in faults that are not packs.
    private static let lists: Set = ["manifest", "tag-table"]

    /// Faults of packs that no request asks for; none are reported if the app fetches packs by itself.
    private func unaskedPacks(of cell: Cell, _ content: PreparedContent) -> [Diagnostic] {
        guard case .requests(let steps) = cell.workload, !cell.workload.hasInstall, cell.workload.updates.isEmpty,
            cell.workload.bundles.isEmpty, !steps.contains(.launch(bundle: nil)),
            let asked = content.packs(tags: Set(cell.workload.requests.flatMap(\.tags)))
        else { return [] }
        let names = cell.hostFaults.map(\.pack) + cell.linkFaults.compactMap(\.trigger.pack)
        let unasked = Set(names).subtracting(Self.lists).subtracting(["*"]).filter { name in
            let packs = content.packs(named: name)
            return !packs.isEmpty && Set(packs).isDisjoint(with: asked)
        }
        return unasked.sorted().map {
            diagnostic(
                "no request asks for '\($0)', so its fault would never happen", for: $0,
                hint: "name one that is requested: \(asked.map(\.displayName).sorted().listed())")
        }
    }

    /// The problem that the program of a command does not exist, or cannot be executed.
    fileprivate func programProblems(of cell: Cell) -> [Diagnostic] {
        guard let command = cell.workload.command else { return [] }
        guard let program = command.call.program else { return scriptProblems(of: command, in: cell) }
        if let file = Environment.program(program) { return interpreterProblems(of: program, file) }
        let path = Environment.value("PATH") ?? ""
        let hint =
            program.contains("/") ? "check its path, and that it is executable" : "it is not in PATH: \(path)"
        return [diagnostic("there is no program '\(program)'", for: program, hint: hint)]
    }

    /// The problem that the interpreter of a program cannot be executed.
    private func interpreterProblems(of program: String, _ file: FilePath) -> [Diagnostic] {
        MissingInterpreter(of: file).map {
            [diagnostic("'\(program)' cannot be executed: \($0.problem)", for: program, hint: $0.remedy)]
        } ?? []
    }

    /// The problem that a script begins with a program that does not exist, unless status 127 is expected.
    private func scriptProblems(of command: Command, in cell: Cell) -> [Diagnostic] {
        guard let program = command.call.scriptProgram,
            !cell.expectations.requests.contains(where: { $0.expects(exit: 127) })
        else { return [] }
        guard program.contains("/"), !program.hasPrefix("/") else {
            guard Environment.program(program) == nil else { return [] }
            return [
                diagnostic("the script starts with '\(program)', and there is no such program", for: program, hint: nil)
            ]
        }
        let found = command.directory.flatMap { Environment.program($0.pushing(FilePath(program)).string) }
        guard found == nil else { return [] }
        let hint = "to use one beside the scenario, write a list: command: [\(program), …]"
        guard let directory = command.directory else {
            let message = "a script runs in an empty folder, which has no '\(program)'"
            return [diagnostic(message, for: program, hint: hint)]
        }
        return [diagnostic("there is no program '\(program)' in '\(directory)'", for: program, hint: hint)]
    }

    private func diagnostic(_ message: String, for name: String, hint: String?) -> Diagnostic {
        diagnostic(message, at: nameMarks[name] ?? contentMark, hint: hint)
    }
}

extension Cell {
    /// Names that must each mean exactly one pack: that of `{url}`, and those that files are compared with.
    var singlePacks: [String] {
        var names = expectations.files.compactMap { file in
            if case .pack(let name) = file.content { name } else { nil }
        }
        if let pack = workload.command?.pack { names.append(pack) }
        return Set(names).sorted()
    }
}

extension Expectations {
    /// Whether a request must become available, and nothing else.
    fileprivate func areAvailable(_ request: String) -> Bool {
        let all = requests.filter { $0.request == nil || $0.request == request }.map(\.expectation)
        let callbacks = all.filter { !$0.isAboutAnswer }
        return (callbacks.isEmpty == all.isEmpty)
            && callbacks.allSatisfy { if case .available = $0 { true } else { false } }
    }
}

extension HostSecrets {
    /// Adds the secrets of a host; `token` is the value of its variable, or nil if it has none.
    mutating func add(_ host: RemoteHost, token: String?) {
        if let token { add(token) }
        for header in host.headers { add(header: header.name, header.value) }
        add(url: host.manifest)
        if let tagTable = host.tagTable { add(url: tagTable) }
    }
}

extension Run {
    /// The time of a perfect client for each cell; nil if it is unknown, or more than an hour.
    ///
    /// Builds what the cells serve; throws if it cannot be built.
    package func idealTimes() async throws -> [Duration?] {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch)
            return try scenarios.flatMap(\.cells).map { $0.idealTime(try contents.prepare($0)) }
        }
    }
}
