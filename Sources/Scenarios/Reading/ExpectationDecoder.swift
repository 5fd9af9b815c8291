import Documents
import Results

/// Reads `expect`: one outcome for all requests, or one for each by its name.
struct ExpectationDecoder {
    /// nil if the workload itself is wrong; then names of requests cannot be checked.
    let workload: Workload?

    /// The keys of an outcome, which requests may not have as names.
    static let words = ["error", "exit", "files"] + ConductExpectation.Word.allCases.map(\.rawValue)

    /// The expectations; nil if they are wrong, which is noted as a problem.
    ///
    /// Without `expect`, all requests must become available.
    func read(_ fields: Fields) -> Expectations? {
        guard let workload, var expectations = readAll(fields) else { return readAll(fields) }
        AnswerRule(workload: workload).complete(&expectations.requests, fields)
        return expectations
    }

    private func readAll(_ fields: Fields) -> Expectations? {
        guard let node = fields.node("expect", schema: schema) else {
            return Expectations(requests: [RequestExpectation(.available())], files: [])
        }
        let ids = workload?.names ?? []
        if case .mapping(let entries) = node.content, entries.contains(where: { ids.contains($0.key) }) {
            return fields.value("expect", byRequest(ids))
        }
        return fields.value("expect", outcome(ids))
    }

    /// The schema of an outcome, or of a mapping with its words, in which any other key is the name of a request.
    private var schema: JSONTree {
        let words = Fields.schema(of: "expectations, by keyword or by request name") { fields in
            _ = mapping([], fields)
        }
        return SchemaNode.any([Self.text.schema(), words.setting("additionalProperties", Self.several.schema())])
    }

    private func byRequest(_ ids: [String]) -> FieldDecoder<Expectations> {
        .mapping("the expectations") { fields in
            let expectations = ids.flatMap { id in
                (fields.value(id, Self.several) ?? []).map { RequestExpectation($0, request: id) }
            }
            let conduct = ConductDecoder(workload: workload).read(fields)
            return Expectations(requests: expectations, files: [], conduct: conduct)
        }
    }

    /// `available`, `error -1009`, or a mapping with an error, a status, or files.
    private func outcome(_ ids: [String]) -> FieldDecoder<Expectations> {
        .either(
            Self.text.map { Expectations(requests: [RequestExpectation($0)], files: []) },
            .mapping("an expectation") { mapping(ids, $0) })
    }

    private func mapping(_ ids: [String], _ fields: Fields) -> Expectations? {
        let error = fields.value("error", Self.error)
        let exit = fields.value("exit", Self.exit)
        let files = fields.value("files", Self.files)
        // Asks for the names as keys, so that they are hints for misspelt keys. A mapping with such a key is read
        // elsewhere.
        for id in ids { _ = fields.given(id) }
        if case .requests? = workload {
            for key in ["exit", "files"] where fields.keys.contains(key) {
                fields.refuse(key, "'\(key)' is for commands", hint: "the built-in client has requests")
            }
        }
        if fields.keys.contains("error"), fields.keys.contains("exit") {
            fields.refuse("exit", "'exit' cannot be combined with 'error'", hint: "keep one of them")
        }
        let conduct = ConductDecoder(workload: workload).read(fields)
        let expectation = error ?? exit ?? .available()
        return Expectations(requests: [RequestExpectation(expectation)], files: files ?? [], conduct: conduct)
    }

    private static var single: FieldDecoder<Expectation> {
        .either(text, .mapping("an expectation") { fields in fields.required("error", error) })
    }

    /// The expectation of a request, or a list: its answer, and its callback once it is begun.
    private static var several: FieldDecoder<[Expectation]> { single.orList("a list of expectations") }

    private static var text: FieldDecoder<Expectation> {
        let expected = "an expectation, such as available or error -1009"
        return .scalar(expected, schema: { SchemaNode.text(expected, pattern: Expectation.pattern) }) { text in
            do throws(ExpectationError) {
                return .value(try Expectation(text))
            } catch {
                return .wrong("'\(text.abbreviated)' is not \(expected): \(error.problem)", hint: error.hint)
            }
        }
    }

    private static var error: FieldDecoder<Expectation> {
        .either(
            .scalar(
                "the number of an error, such as -1009, or any", pattern: "^(any|\(TextPattern.integer))$"
            ) { code in
                do throws(ExpectationError) {
                    return .value(try Expectation(outcome: "error", code: code == "any" ? nil : code))
                } catch {
                    return .wrong(
                        "'\(code.abbreviated)' is not an error: \(error.problem)", hint: error.hint ?? "or write any")
                }
            },
            .mapping("an error") { fields in
                let names: [ExpectationError.Piece] = [.domain, .code, .class, .within]
                let pieces = names.map { fields.value($0.rawValue, piece($0)) }
                return try? Expectation(
                    outcome: "error", domain: pieces[0], code: pieces[1], errorClass: pieces[2], within: pieces[3])
            })
    }

    /// A piece of an error, which is checked by itself, so that all wrong pieces are reported at once.
    private static func piece(_ piece: ExpectationError.Piece) -> FieldDecoder<String> {
        let schema: () -> JSONTree = {
            switch piece {
            case .class: SchemaNode.word("the class of an error", ErrorClass.allCases.map(\.rawValue))
            case .code: SchemaNode.scalar("the number of an error", pattern: "^\(TextPattern.integer)$")
            case .within: SchemaNode.text("a time such as 20 s", pattern: TextPattern.whole(TextPattern.duration))
            case .domain, .outcome: FieldDecoder<String>.text.schema()
            }
        }
        return FieldDecoder<String>.text.then(schema: schema) { text, node, problems in
            do throws(ExpectationError) {
                _ = try Expectation(
                    outcome: "error", domain: piece == .domain ? text : nil, code: piece == .code ? text : nil,
                    errorClass: piece == .class ? text : nil, within: piece == .within ? text : nil)
                return text
            } catch {
                return problems.refuse(
                    "'\(error.text.abbreviated)' is not valid: \(error.problem)", at: node.mark, hint: error.hint)
            }
        }
    }

    /// The status of a command: 0 is the same as `available`, and `any` the same as `either`.
    private static var exit: FieldDecoder<Expectation> {
        let status = FieldDecoder<Int>.integer("an exit status, 0 to 255", in: 0...255).map { status in
            status == 0 ? Expectation.available() : .error(Expectation.ErrorPattern(domain: "exit", code: status))
        }
        return status.or("any", "any status", .either())
    }

    private static var files: FieldDecoder<[Expectations.File]> {
        .mapping("the files") { fields in
            fields.everyEntry(schema: content.schema()).compactMap { entry in
                let parts = entry.key.split(separator: "/", omittingEmptySubsequences: false)
                if parts.contains(where: { ["", ".", ".."].contains($0) }) {
                    let message = "'\(entry.key.abbreviated)' is not a path below the command's folder"
                    fields.problems.add(message, at: entry.keyMark, hint: "write 'name' or 'folder/name'")
                }
                return content.value(of: entry.value, fields.problems).map { .init(name: entry.key, content: $0) }
            }
        }
    }

    /// 64 hexadecimal digits are a digest, and any other text is the name of a pack.
    private static var content: FieldDecoder<Expectations.File.Content> {
        FieldDecoder<String>.packName.map { text in
            let isDigest = text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
            return isDigest ? .sha256(text.lowercased()) : .pack(text)
        }
    }
}

extension ExpectationError {
    fileprivate var hint: String? { suggestion.map { "did you mean '\($0)'?" } }
}
