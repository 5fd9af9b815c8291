import Documents
import LinkModel
package import SystemPackage

/// A workload in the built-in client's format.
package enum WorkloadText {
    /// The files of a version of the app.
    package typealias App = (manifest: FilePath, tagTable: FilePath)

    /// The steps of a workload as JSON; `app` has the files of each version, from 1.
    package static func json(_ steps: [Workload.Step], app: (Int) -> App) -> [UInt8] {
        var version = 1
        let trees = steps.map { step in
            if case .update = step { version += 1 }
            return fields(of: step, app: app(version))
        }
        return Array(JSONTree.object(["steps": .list(trees)]).line.utf8)
    }

    private static func fields(of step: Workload.Step, app: App) -> JSONTree {
        switch step {
        case .request(let request):
            .object([
                "request": .object([
                    "id": .text(request.id), "tags": .texts(request.tags), "priority": value(request.priority),
                    "conditional": request.isConditional ? .flag(true) : nil,
                ]),
                "background": request.isConditional ? nil : .flag(request.isBackground),
            ])
        case .begin(let id): .object(["begin": .text(id)])
        case .end(let id): .object(["end": .text(id)])
        case .cancel(let id, let fraction): .object(["cancel": .text(id), "at": .number(fraction)])
        case .pause(let id, let fraction): .object(["pause": .text(id), "at": .number(fraction)])
        case .resume(let id): .object(["resume": .text(id)])
        case .setPriority(let id, let priority): .object(["priority": .text(id), "to": value(priority)])
        case .wait(let id): .object(["wait": .text(id)])
        case .use(let id): .object(["use": .text(id)])
        case .sleep(let duration): .object(["sleep": .number(duration.seconds)])
        case .preserve(let tags, let priority): .object(["preserve": .texts(tags), "to": .number(priority)])
        case .fill(let size): .object(["fill": .whole(size.bytes)])
        case .purge(let size): .object(["purge": .whole(size.bytes)])
        case .radio(let radio): .object(["radio": .text(radio.rawValue)])
        case .install: .object(["install": .flag(true)])
        case .launch(let bundle): .object(["launch": .flag(true), "bundle": bundle.map(JSONTree.text)])
        case .quit: .object(["quit": .flag(true)])
        case .update: .object(["update": .text(app.manifest.string), "tagTable": .text(app.tagTable.string)])
        case .buy(let tags): .object(["buy": .texts(tags)])
        case .remove(let packs): .object(["remove": .texts(packs)])
        }
    }

    private static func value(_ priority: Workload.Priority) -> JSONTree {
        switch priority {
        case .value(let value): .number(value)
        case .urgent: .text("urgent")
        }
    }
}
