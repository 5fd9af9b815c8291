import FoundationEssentials
import LinkModel
import Scenarios
import SystemPackage

/// A workload in the built-in client's format.
struct WorkloadText {
    private let steps: [[String: Value]]

    private enum Value: Encodable {
        case text(String)
        case number(Double)
        case bytes(Int64)
        case flag(Bool)
        case list([String])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .bytes(let bytes): try container.encode(bytes)
            case .flag(let flag): try container.encode(flag)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }

    /// Takes the steps of a workload; bundles of later app versions are in the attempt's folder.
    init(_ steps: [Workload.Step], folder: AttemptFolder) {
        var version = 1
        self.steps = steps.map { step in
            if case .update = step { version += 1 }
            return Self.fields(of: step, app: folder.app(version: version))
        }
    }

    private static func fields(
        of step: Workload.Step, app: (manifest: FilePath, tagTable: FilePath)
    ) -> [String: Value] {
        switch step {
        case .request(let request):
            var fields: [String: Value] = [
                "id": .text(request.id), "tags": .list(request.tags), "priority": value(request.priority),
            ]
            if request.isConditional {
                fields["conditional"] = .flag(true)
                return ["request": .object(fields)]
            }
            return ["request": .object(fields), "background": .flag(request.isBackground)]
        case .begin(let id): return ["begin": .text(id)]
        case .end(let id): return ["end": .text(id)]
        case .cancel(let id, let fraction): return ["cancel": .text(id), "at": .number(fraction)]
        case .pause(let id, let fraction): return ["pause": .text(id), "at": .number(fraction)]
        case .resume(let id): return ["resume": .text(id)]
        case .setPriority(let id, let priority): return ["priority": .text(id), "to": value(priority)]
        case .wait(let id): return ["wait": .text(id)]
        case .use(let id): return ["use": .text(id)]
        case .sleep(let duration): return ["sleep": .number(duration.seconds)]
        case .preserve(let tags, let priority): return ["preserve": .list(tags), "to": .number(priority)]
        case .fill(let size): return ["fill": .bytes(size.bytes)]
        case .purge(let size): return ["purge": .bytes(size.bytes)]
        case .radio(let radio): return ["radio": .text(radio.rawValue)]
        case .install: return ["install": .flag(true)]
        case .launch(let bundle?): return ["launch": .flag(true), "bundle": .text(bundle)]
        case .launch(nil): return ["launch": .flag(true)]
        case .quit: return ["quit": .flag(true)]
        case .update: return ["update": .text(app.manifest.string), "tagTable": .text(app.tagTable.string)]
        case .buy(let tags): return ["buy": .list(tags)]
        case .remove(let packs): return ["remove": .list(packs)]
        }
    }

    private static func value(_ priority: Workload.Priority) -> Value {
        switch priority {
        case .value(let value): .number(value)
        case .urgent: .text("urgent")
        }
    }

    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(["steps": steps]))
    }
}
