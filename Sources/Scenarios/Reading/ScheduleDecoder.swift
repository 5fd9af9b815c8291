import Documents
import LinkModel
import LinuxSupport
import SystemPackage
import Wording

/// Reads `schedule`: the path of a file, or a list of its lines.
struct ScheduleDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Schedule> {
        let path = context.path("a file with a schedule", isFolder: false).then(
            schema: { SchemaNode.scalar("the path of a schedule") }
        ) { path, node, problems in context.schedules.read(path, calledBy: node, problems) }
        let lines = FieldDecoder.list("a list of lines", of: Self.line).then { lines, _, problems in
            Self.inline(lines, problems)
        }
        return .oneOf("the path of a schedule, or a list of its lines", [path, lines]) { $0.isList ? 1 : 0 }
    }

    private static var line: FieldDecoder<(String, YAMLNode)> {
        FieldDecoder<String>.longText.then("a line of a schedule") { text, node, problems in
            guard text.contains(where: \.isNewline) else { return (text, node) }
            return problems.refuse(
                "an item of a schedule is one line", at: node.mark, hint: "write each line as a separate item")
        }
    }

    /// Lines in the scenario's own file.
    private static func inline(_ lines: [(String, YAMLNode)], _ problems: Problems) -> Schedule? {
        do throws(FaultScheduleError) {
            let (faults, numbers) = try FaultSchedule.read(lines.map(\.0).joined(separator: "\n"))
            return Schedule(faults, file: problems.file, marks: numbers.map { lines[$0 - 1].1.mark })
        } catch {
            for problem in error.problems {
                let mark = lines[problem.line - 1].1.mark(ofCharacter: problem.column - 1)
                problems.add(problem.message, at: mark, hint: problem.scenarioHint)
            }
            return nil
        }
    }
}

/// Makes faults of the link from the lines of a schedule that are about the link.
struct LinkChangeDecoder {
    let context: ScenarioContext
    /// The place in the scenario that names the schedule.
    let node: YAMLNode
    let problems: Problems

    func faults(_ schedule: Schedule) -> [LinkFault] {
        schedule.linkChanges.compactMap { fault($0.change, of: schedule, at: $0.mark) }
    }

    private func fault(_ change: FaultSchedule.LinkChange, of schedule: Schedule, at mark: Mark) -> LinkFault? {
        for case let pack? in [change.after.pack, change.until?.pack] { problems.mention(pack, at: node.mark) }
        return LinkFault(change) { name in
            let own = Problems(file: schedule.file)
            defer { problems.take(own.found) }
            let place = YAMLNode(mark: mark, content: .text(name, inset: nil))
            return context.profiles.draft(name, from: context.folder, at: place, own)?.profile
        }
    }
}

/// Reads files of schedules, each once for all cells that play it.
final class ScheduleLoader {
    private var read: [FilePath: Result<Schedule, InvalidFiles>] = [:]

    func read(_ path: FilePath, calledBy node: YAMLNode, _ problems: Problems) -> Schedule? {
        let result = read[path] ?? Self.load(path, calledBy: node, problems.file)
        read[path] = result
        switch result {
        case .success(let schedule): return schedule
        case .failure(let error):
            problems.take(error.diagnostics)
            return nil
        }
    }

    private static func load(
        _ path: FilePath, calledBy node: YAMLNode, _ file: String
    ) -> Result<Schedule, InvalidFiles> {
        func failure(_ message: String) -> Result<Schedule, InvalidFiles> {
            .failure(InvalidFiles("the schedule '\(path)' \(message)", file: file, at: node.mark))
        }
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, most: FaultSchedule.mostBytes)
            FilesRead.current?.note(path)
        } catch {
            return failure("\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return failure("is not UTF-8") }
        do throws(FaultScheduleError) {
            let (faults, numbers) = try FaultSchedule.read(text)
            let marks = numbers.map { Mark(line: $0, column: 1) }
            return .success(Schedule(faults, file: path.string, marks: marks))
        } catch {
            let diagnostics = error.problems.map { problem in
                Diagnostic(
                    file: path.string, mark: Mark(line: problem.line, column: problem.column), message: problem.message,
                    hint: problem.scenarioHint)
            }
            return .failure(InvalidFiles(diagnostics))
        }
    }
}

extension FaultScheduleError.Problem {
    /// The hint of a problem: the nearest name, or all names.
    fileprivate var scenarioHint: String? {
        if let hint { return hint }
        guard let word, !names.isEmpty else { return nil }
        return NearestName.hint(for: word, in: names) ?? "write one of \(names.joined(separator: ", "))"
    }
}
