import Scenarios
import Testbed

/// What puts the link of a cell there, and why.
struct BackendPlan: Sendable, Hashable {
    var backend: LinkBackend
    /// Why that one, as results say it; nil where the scenario names its fidelity.
    var reason: String?
    /// Why it is not what would have been chosen first, as sentences; nil where it is.
    var shortfall: String?
    /// Why it cannot be had; nil where it can.
    var obstacle: HarnessError?
    /// What packets have to go on without here.
    var notes: [String] = []
}

/// Chooses what puts links there: a fidelity that a scenario names is never swapped for another.
struct BackendPlanner: Sendable {
    let choice: BackendChoice
    /// Whether this machine can have packets; nil where nobody asked.
    let capability: CellCapability?

    /// Whether ``plan(for:)`` has to know what this machine can.
    static func needsCapability(_ cells: [Scenarios.Cell], _ choice: BackendChoice) -> Bool {
        cells.contains { cell in
            switch cell.link.fidelity {
            case .packet: true
            case .modelled: false
            case .any: choice != .proxy
            }
        }
    }

    func plan(for cell: Scenarios.Cell) -> BackendPlan {
        switch (cell.link.fidelity, choice) {
        case (.packet, _): packets(for: cell, asked: "'\(cell.id)' asks for 'fidelity: packet'", reason: nil)
        case (.any, .packet): packets(for: cell, asked: "'--backend packet' is asked for", reason: "--backend packet")
        case (.modelled, _): proxy(for: cell, reason: nil)
        case (.any, .proxy): proxy(for: cell, reason: "--backend proxy")
        case (.any, .auto): first(for: cell)
        }
    }

    /// The first that can express the whole cell here.
    private func first(for cell: Scenarios.Cell) -> BackendPlan {
        let packets = packets(
            for: cell, asked: "'\(cell.id)' needs packets", reason: "auto: the first that can be had here")
        guard packets.obstacle != nil else { return packets }
        let why = cell.whyNotInCell.map { "'\(cell.id)' cannot be run over packets: \($0)." } ?? refusal ?? ""
        var proxy = proxy(for: cell, reason: "auto: packets cannot be had. \(why)")
        proxy.shortfall = why
        // Where neither can be had, it is the first one that the user is to be helped to.
        return proxy.obstacle == nil ? proxy : packets
    }

    private func packets(for cell: Scenarios.Cell, asked: String, reason: String?) -> BackendPlan {
        var plan = BackendPlan(backend: .packet, reason: reason)
        if let why = cell.whyNotInCell {
            plan.obstacle = .notInCell(cell: cell.id, why)
        } else if let refusal {
            plan.obstacle = .noPackets(asked: asked, refusal)
        } else if case .available(let notes)? = capability {
            plan.notes = notes.map(\.description)
        }
        return plan
    }

    private func proxy(for cell: Scenarios.Cell, reason: String?) -> BackendPlan {
        BackendPlan(
            backend: .proxy, reason: reason, obstacle: cell.whyNotByProxy.map { .notByProxy(cell: cell.id, $0) })
    }

    /// Why this machine cannot have packets, in the words of every command; nil where it can.
    private var refusal: String? {
        switch capability {
        case .refused(let refusal): refusal.description
        case .failed(let error): error.description
        case .available, nil: nil
        }
    }
}

extension Scenarios.Cell {
    /// Why the cell cannot be run over packets, whatever the machine; nil where it can.
    fileprivate var whyNotInCell: String? {
        if case .host = content { return "its host is somebody else's, and no way leads there out of a cell" }
        return nil
    }

    /// Why the cell cannot be run by a proxy; nil where it can.
    fileprivate var whyNotByProxy: String? { nil }
}
