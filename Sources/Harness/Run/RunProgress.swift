package import Documents
package import Results
package import SystemPackage

/// An event that a run reports while it goes on.
package enum RunProgress: Sendable {
    /// The number of cells to run.
    case planned(cells: Int)
    /// A run that ended early continues; this number of its cells is finished already.
    case takenUp(finished: Int, of: Int)
    /// The folder for temporary files exists.
    case made(scratch: FilePath)
    /// Something remains after the run, with the reason.
    case left(String)
    /// A proxy carries links although it was not requested, with the reason in sentences.
    case proxied(why: String)
    case began(cell: String)
    /// The link of a cell is being measured, which takes seconds, or minutes if it is very slow.
    case calibrating(cell: String)
    /// An attempt of a cell begins: its number, and how many are planned.
    case attempting(cell: String, number: Int, planned: Int)
    /// A cell has no result because others disturbed it, and runs again later.
    case postponed(cell: String, why: Finding)
    /// All processes of a cell have ended.
    case ended(cell: String)
    /// The run has written these reports into its folder.
    case filed(names: [String])
    /// A cell has its verdict, and `done` cells have one by now; cells are reported in the order in which they end.
    case judged(CellResult, done: Int, of: Int)
}

extension RunProgress {
    /// The event for programs, as the members of one line of JSON; nil for one that is only for people.
    ///
    /// The first member is `event`. Others may be added later; see `docs/how-to/elsewhere.md`.
    package var json: JSONTree? {
        switch self {
        case .planned(let cells): .object(["event": .text("planned"), "cells": .whole(cells)])
        case .takenUp(let finished, let cells):
            .object([
                "event": .text("taken-up"), "finished": .whole(finished), "cells": .whole(cells),
            ])
        case .left(let reason): .object(["event": .text("note"), "text": .text(reason)])
        case .proxied(let why): .object(["event": .text("note"), "text": .text(why)])
        case .made: nil
        case .filed(let names): .object(["event": .text("filed"), "files": .texts(names)])
        case .began(let cell): Self.cell("began", cell)
        case .calibrating(let cell): Self.cell("calibrating", cell)
        case .attempting(let cell, let number, let planned):
            Self.cell("attempt", cell).setting("number", .whole(number))
                .setting("planned", .whole(planned))
        case .postponed(let cell, let why): Self.cell("postponed", cell).setting("why", .text(why.detail))
        case .ended(let cell): Self.cell("ended", cell)
        case .judged(let cell, let done, let count):
            .object([
                "event": .text("judged"), "cell": .text(cell.name), "verdict": .text(cell.verdict.rawValue),
                "decides": .flag(cell.decides), "attempts": .whole(cell.attempts.count),
                "seconds": .number(cell.durationSeconds), "done": .whole(done),
                "cells": .whole(count),
            ])
        }
    }

    private static func cell(_ event: String, _ cell: String) -> JSONTree {
        .object(["event": .text(event), "cell": .text(cell)])
    }
}
