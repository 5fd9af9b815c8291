package import Documents

extension RunProgress {
    /// The event for programs, as the members of one line of JSON; nil for one that is only for people.
    ///
    /// The first member is `event`. Others may be added later; see `docs/how-to/elsewhere.md`.
    package var json: JSONTree? {
        switch self {
        case .planned(let cells): .object(["event": .text("planned"), "cells": .integer(Int128(cells))])
        case .takenUp(let finished, let cells):
            .object([
                "event": .text("taken-up"), "finished": .integer(Int128(finished)), "cells": .integer(Int128(cells)),
            ])
        case .left(let reason): .object(["event": .text("note"), "text": .text(reason)])
        case .proxied(let why): .object(["event": .text("note"), "text": .text(why)])
        case .made: nil
        case .filed(let names): .object(["event": .text("filed"), "files": .texts(names)])
        case .began(let cell): Self.cell("began", cell)
        case .calibrating(let cell): Self.cell("calibrating", cell)
        case .attempting(let cell, let number, let planned):
            Self.cell("attempt", cell).setting("number", .integer(Int128(number)))
                .setting("planned", .integer(Int128(planned)))
        case .postponed(let cell, let why): Self.cell("postponed", cell).setting("why", .text(why.detail))
        case .ended(let cell): Self.cell("ended", cell)
        case .judged(let cell, let done, let count):
            .object([
                "event": .text("judged"), "cell": .text(cell.name), "verdict": .text(cell.verdict.rawValue),
                "decides": .flag(cell.decides), "attempts": .integer(Int128(cell.attempts.count)),
                "seconds": .number(cell.durationSeconds), "done": .integer(Int128(done)),
                "cells": .integer(Int128(count)),
            ])
        }
    }

    private static func cell(_ event: String, _ cell: String) -> JSONTree {
        .object(["event": .text(event), "cell": .text(cell)])
    }
}
