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

    /// The plan for a cell; `authorities` are names and ports, besides the host's own, at which its packs are.
    func plan(for cell: Scenarios.Cell, authorities: Set<PreparedContent.Authority>) -> BackendPlan {
        func packets(_ asked: String, _ reason: String?) -> BackendPlan {
            self.packets(for: cell, authorities, asked: asked, reason: reason)
        }
        return switch (cell.link.fidelity, choice) {
        case (.packet, _): packets("'\(cell.id)' asks for 'fidelity: packet'", nil)
        case (.any, .packet): packets("'--backend packet' is asked for", "--backend packet")
        case (.modelled, _): proxy(for: cell, reason: nil)
        case (.any, .proxy): proxy(for: cell, reason: "--backend proxy")
        case (.any, .auto):
            first(for: cell, packets("'\(cell.id)' needs packets", "auto: the first that can be had here"), authorities)
        }
    }

    /// The first that can express the whole cell here.
    private func first(
        for cell: Scenarios.Cell, _ packets: BackendPlan, _ authorities: Set<PreparedContent.Authority>
    ) -> BackendPlan {
        guard packets.obstacle != nil else { return packets }
        let own = cell.whyNotInCell(authorities).map { "'\(cell.id)' cannot be run over packets: \($0)." }
        let why = own ?? refusal ?? ""
        var proxy = proxy(for: cell, reason: "auto: packets cannot be had. \(why)")
        proxy.shortfall = why
        // Where neither can be had, it is the first one that the user is to be helped to.
        return proxy.obstacle == nil ? proxy : packets
    }

    private func packets(
        for cell: Scenarios.Cell, _ authorities: Set<PreparedContent.Authority>, asked: String, reason: String?
    ) -> BackendPlan {
        var plan = BackendPlan(backend: .packet, reason: reason)
        if let why = cell.whyNotInCell(authorities) {
            plan.obstacle = .notInCell(cell: cell.id, why)
        } else if let refusal {
            plan.obstacle = .noPackets(asked: asked, refusal)
        } else if case .available(let notes)? = capability {
            plan.notes = notes.map(\.description)
        }
        return plan
    }

    private func proxy(for cell: Scenarios.Cell, reason: String?) -> BackendPlan {
        var plan = BackendPlan(
            backend: .proxy, reason: reason, obstacle: cell.whyNotByProxy.map { .notByProxy(cell: cell.id, $0) })
        if cell.device.storage != nil {
            plan.notes.append(
                "the device's storage is the built-in client's own account, and no file system of its size")
        }
        return plan
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
    fileprivate func whyNotInCell(_ authorities: Set<PreparedContent.Authority>) -> String? {
        if case .host = content { return "its host is somebody else's, and no way leads there out of a cell" }
        if let address = authorities.first(where: { !$0.isName }) {
            return "its manifest names '\(address.host)', and a cell leads names to its host, but no addresses"
        }
        if authorities.contains(where: { $0.port == Self.resolverPort }) {
            return "its manifest names port \(Self.resolverPort), at which a cell has its resolver"
        }
        return nil
    }

    private static let resolverPort = 53

    /// Why the cell cannot be run by a proxy; nil where it can.
    fileprivate var whyNotByProxy: String? {
        if case .network(let forwards) = content, !forwards.isEmpty {
            return "it forwards ports of this machine, whose loopback a program behind a proxy has itself"
        }
        guard device.storage != nil, case .command = workload else { return nil }
        return "'storage' of its device is a file system of its own, and only a cell has one for a command"
    }
}

extension PreparedContent.Authority {
    /// Whether a resolver is asked for it: no address, and not this machine's own name.
    fileprivate var isName: Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host != "localhost" && !host.hasSuffix(".localhost")
    }
}
