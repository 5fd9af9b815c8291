import LinkModel
import Results

/// Reads `check`: how a command is tested with a scenario that is written for the built-in client.
///
/// The expectations on the command are read once the command is known, as part of the scenario that it runs.
enum ClientCheckDecoder {
    /// The keys of `check` that replace the scenario's own.
    static let moved = ["expect", "budgets", "faults", "device"]

    static var decoder: FieldDecoder<ClientCheck> {
        .mapping("a check") { fields in
            let says = fields.required("says", .text)
            let unobservable = fields.value("not-observable", .text)
            let need = FieldDecoder<ClientReport.Need>.choice("a need")
            let needs = fields.value("needs", .list("a list of needs, such as [digest]", of: need)) ?? []
            let role = fields.value("is", FieldDecoder<ClientCheck.Role>.choice("a role among the checks"))
            let pack = fields.node("pack", schema: FieldDecoder<String>.packName.schema())
            let memory = fields.value("memory-over-control", .size)
            let cpu = fields.value("cpu-over-control", .positiveDuration)
            let lasts = fields.value("lasts", .positiveDuration)
            _ = (
                fields.node("takes", schema: FieldDecoder<Duration>.positiveDuration.schema()),
                fields.node("starts", schema: CommandDecoder.starts.schema()),
                moved.map { fields.node($0, schema: SchemaNode.key($0)) }
            )
            if unobservable != nil {
                for key in [
                    "pack", "starts", "takes", "lasts", "needs", "is", "memory-over-control", "cpu-over-control",
                ] + moved
                where fields.keys.contains(key) {
                    fields.refuse(key, "'\(key)' cannot be combined with 'not-observable'", hint: "keep one of them")
                }
            } else if pack == nil {
                fields.problems.add(
                    "a check needs the key 'pack', which sets {url}, or 'not-observable'", at: fields.mark)
            }
            return says.map {
                ClientCheck(
                    says: $0, unobservable: unobservable, needs: Set(needs), role: role,
                    memoryOverControl: memory?.bytes, cpuOverControl: cpu, lasts: lasts)
            }
        }
    }
}

extension YAMLNode {
    /// The scenario that tests a command as this one's `check` says; nil if the check is not for commands.
    func asking(_ command: CheckedCommand, _ problems: Problems) -> YAMLNode? {
        guard case .mapping(let entries) = content, let check = self["check"], check["not-observable"] == nil,
            case .mapping(let asked) = check.content
        else { return nil }
        // Expectations and measurements of the built-in client do not apply to the command.
        var gone = [
            "check", "workload", "attempts", "matrix", "cells", "patience", "deadline", "idle-timeout", "expect",
            "budgets",
        ]
        gone += asked.map(\.key).filter(ClientCheckDecoder.moved.contains)
        let takes = check["takes"].flatMap { FieldDecoder<Duration>.positiveDuration.value(of: $0, problems) }
        let added = command.entries(pack: check["pack"], starts: check["starts"], takes: takes)
        let place = asked.first?.keyMark ?? mark
        return YAMLNode(
            mark: mark,
            content: .mapping(
                entries.filter { !gone.contains($0.key) } + asked.filter { ClientCheckDecoder.moved.contains($0.key) }
                    + added.compactMap { key, value in value.map { Entry(key: key, keyMark: place, value: $0) } }))
    }
}

extension CheckedCommand {
    /// The keys of a scenario by which it runs; `takes` is how long a good client takes in addition to its
    /// patience (default: 10 s).
    func entries(pack: YAMLNode?, starts: YAMLNode? = nil, takes: Duration? = nil) -> [(String, YAMLNode?)] {
        let workload = YAMLNode.made([
            ("command", .made(.list(words.map { .made($0) }))), ("pack", pack), ("starts", starts),
            // A script may use the file only by HEADWIND_OUTPUT, which its words do not show.
            ("directory", .made(directory.string)), ("leaves-output", .made("true")),
        ])
        let idleTimeout = patience + (takes ?? .seconds(10))
        return [
            ("workload", workload), ("patience", .made(patience.text)),
            ("idle-timeout", .made(min(idleTimeout, .seconds(86_400)).text)), ("deadline", .made(within.text)),
        ]
    }
}
