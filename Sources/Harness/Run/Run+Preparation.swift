import Evidence
import LinuxSupport
import PackFormat
import ProcessGuard
import Redaction
import Results
import Scenarios
import SystemPackage

extension Run {
    /// Makes the checks that need the content of scenarios, as ``perform()`` does before it starts; runs nothing.
    ///
    /// Throws the errors of ``perform()``.
    package func check() async throws {
        try await withContents { try prepare($0) }
    }

    /// The time of a perfect client for each cell; nil if it is unknown, or more than an hour.
    ///
    /// Builds what the cells serve; throws if it cannot be built.
    package func idealTimes() async throws -> [Duration?] {
        try await withContents { contents in
            try scenarios.flatMap(\.cells).map { $0.idealTime(try contents.prepare($0)) }
        }
    }

    /// Runs `body` with a store that builds content into a temporary folder.
    func withContents<Value>(_ body: (ContentStore) throws -> Value) async throws -> Value {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            try body(ContentStore(scratch: scratch, packs: builtPacks))
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
