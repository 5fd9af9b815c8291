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

extension ScenarioContext {
    /// The faults of the lines of a schedule that are about the link; `node` names the schedule in the scenario.
    func linkFaults(of schedule: Schedule, calledBy node: YAMLNode, _ problems: Problems) -> [LinkFault] {
        schedule.linkChanges.compactMap { change, mark in
            for case let pack? in [change.after.pack, change.until?.pack] { problems.mention(pack, at: node.mark) }
            return LinkFault(change) { name in
                let own = Problems(file: schedule.file)
                defer { problems.take(own.found) }
                let place = YAMLNode(mark: mark, content: .text(name, inset: nil))
                return profiles.draft(name, from: folder, at: place, own)?.profile
            }
        }
    }
}

/// Reads files of schedules, each once for all cells that play it.
final class ScheduleLoader {
    private var read: [FilePath: Result<Schedule, InvalidFiles>] = [:]

    func read(_ path: FilePath, calledBy node: YAMLNode, _ problems: Problems) -> Schedule? {
        let result =
            read[path]
            ?? Result { () throws(InvalidFiles) in try Schedule(file: path, calledBy: problems.file, at: node.mark) }
        read[path] = result
        switch result {
        case .success(let schedule): return schedule
        case .failure(let error):
            problems.take(error.diagnostics)
            return nil
        }
    }
}

extension Schedule {
    /// The schedule in a file, which `caller` names at `mark`; throws all problems.
    init(file path: FilePath, calledBy caller: String, at mark: Mark) throws(InvalidFiles) {
        func failure(_ message: String) -> InvalidFiles {
            InvalidFiles("the schedule '\(path)' \(message)", file: caller, at: mark)
        }
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, most: FaultSchedule.mostBytes)
            FilesRead.current?.note(path)
        } catch {
            throw failure("\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("is not UTF-8") }
        do throws(FaultScheduleError) {
            let (faults, numbers) = try FaultSchedule.read(text)
            self.init(faults, file: path.string, marks: numbers.map { Mark(line: $0, column: 1) })
        } catch {
            throw InvalidFiles(
                error.problems.map { problem in
                    Diagnostic(
                        file: path.string, mark: Mark(line: problem.line, column: problem.column),
                        message: problem.message, hint: problem.scenarioHint)
                })
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
