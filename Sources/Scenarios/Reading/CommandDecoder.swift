import LinuxSupport
import SystemPackage
import Wording

/// Reads a workload that is a program of the user's.
struct CommandDecoder {
    /// The folder of the scenario's file.
    let folder: FilePath

    var decoder: FieldDecoder<Command> {
        .mapping("a workload") { fields in
            let call = fields.required("command", Self.call)
            let progress = fields.value("progress", Self.progress)
            let pack = fields.value("pack", .packName)
            let whole = folder.absolute
            let directory = fields.value("directory", .text).map { whole.pushing(FilePath($0)).lexicallyNormalized() }
            let leavesOutput = fields.value("leaves-output", .flag)
            let starts = fields.value("starts", Self.starts)
            guard let call = call?.resolved(in: directory ?? whole) else { return nil }
            if let program = call.program ?? call.scriptProgram, let node = fields.given("command") {
                fields.problems.mention(program, at: node.mark)
            }
            var command = Command(call: call, progress: progress, pack: pack, directory: directory)
            if command.placeholders.contains(.url), pack == nil, !fields.keys.contains("pack") {
                fields.refuse("command", "{url} needs a pack", hint: "add 'pack:' and a tag or a file name")
            }
            command.starts = starts ?? .once
            command.leavesOutput = leavesOutput ?? command.placeholders.contains(.output)
            return command
        }
    }

    static var starts: FieldDecoder<Command.Starts> { .choice("a way to start") }

    private static var call: FieldDecoder<Command.Call> {
        let words = FieldDecoder.list("a program and its arguments", of: argument).then { words, node, problems in
            words[0].pieces.isEmpty
                ? problems.refuse("the program has no name", at: node.mark) : Command.Call.arguments(words)
        }
        let forms = [template.map(Command.Call.shell), words]
        return .oneOf("a list [program, argument], or a script for the shell", forms) { $0.isList ? 1 : 0 }
    }

    private static var progress: FieldDecoder<Command.Progress> {
        .mapping("a progress") { fields in
            let stream = fields.value("from", FieldDecoder<Command.Progress.Stream>.choice("a stream"))
            let pattern = fields.required("match", pattern)
            return pattern.map { Command.Progress(stream: stream ?? .stderr, pattern: $0) }
        }
    }

    private static var pattern: FieldDecoder<String> {
        let expected = "a regular expression with one group, such as '(\\d+)%'"
        return .scalar(expected, pattern: "\\(") { text in
            do {
                guard text.utf8.count <= longestPattern else {
                    return .wrong(text, not: expected, hint: "use at most \(longestPattern) bytes")
                }
                _ = try Regex(text)
                guard text.contains("(") else {
                    return .wrong(text, not: expected, hint: "put the number in parentheses")
                }
                return .value(text)
            } catch {
                return .wrong(text, not: expected, hint: "\(error)")
            }
        }
    }

    /// The standard library parses patterns recursively, so a long one could overflow the stack.
    static let longestPattern = 500

    private static var template: FieldDecoder<Template> {
        FieldDecoder<String>.longText.then(
            "a text", schema: { SchemaNode.scalar("a text", pattern: Template.pattern) }, filled)
    }

    /// An argument; unlike other texts, it may be empty or blank.
    private static var argument: FieldDecoder<Template> {
        FieldDecoder("an argument", schema: template.schema) { node, problems in
            if case .text(let text, _) = node.content, text.allSatisfy(\.isWhitespace) {
                return filled(text, node, problems)
            }
            return template.value(of: node, problems)
        }
    }

    private static func filled(_ text: String, _ node: YAMLNode, _ problems: Problems) -> Template? {
        do throws(Template.Unknown) {
            return try Template(parsing: text)
        } catch {
            let nearest = NearestName.of(error.name, in: Placeholder.allCases.map(\.rawValue))
            return problems.refuse(
                "'{\(error.name)}' is not a placeholder", at: node.mark(ofCharacter: error.offset),
                hint: nearest.map { "did you mean '{\($0)}'?" } ?? error.hint)
        }
    }
}

extension Command.Call {
    /// The same with the absolute path of the program, if it is named by a path; a shell script stays the same.
    fileprivate func resolved(in folder: FilePath) -> Self {
        guard case .arguments(var words) = self, let program, program.contains("/") else { return self }
        words[0] = Template(text: folder.pushing(FilePath(program)).lexicallyNormalized().string)
        return .arguments(words)
    }
}
