import Documents
import LinkModel
import LinuxSupport
import SystemPackage

extension ProgramScenario {
    /// Throws the lines of the schedule that do not suit a program, with the file's path and line numbers.
    ///
    /// There is no scenario file that the errors could name. A file that is not a schedule is reported by the reader of
    /// the cell.
    func checkSchedule(_ file: FilePath) throws(InvalidFiles) {
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
            let isAboutPacks = [change.after, change.until].contains { event in
                switch event {
                case .packBytes?, .packShare?: true
                default: false
                }
            }
            return isAboutPacks ? ("packs are unknown here", "write a time, or bytes without a pack") : nil
        default: return nil
        }
    }
}
