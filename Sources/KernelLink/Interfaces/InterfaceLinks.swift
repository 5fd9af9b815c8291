import LinkModel
package import Netlink

/// The shapes of Headwind's on the interfaces of this network, all of whose state is in the kernel.
///
/// Of an interface they take its root queue, its ingress queue, and an `ifb` of a reserved name and group, whose alias is a ``LinkMark``.
/// For one thread at a time.
package final class InterfaceLinks {
    let socket: RouteSocket

    /// Looks at the network of the calling thread.
    package init() throws(InterfaceLinkError) {
        do { socket = try RouteSocket() } catch { throw InterfaceLinkError(error) }
    }

    /// An interface that is to have a shape, or has one, as it was when it was looked at.
    package typealias Target = InterfaceState

    /// What Headwind has on one interface.
    package struct Found: Sendable {
        /// Nil where the interface is gone.
        package let target: InterfaceState?
        /// Nil where somebody has removed it.
        package let ifb: InterfaceState?
        /// Nil where it was left half done.
        package let mark: LinkMark?
        /// What is kept of its rules, none where it has none; nil where a part of that is gone.
        package let rules: [RuleNote]?

        init(target: InterfaceState?, ifb: InterfaceState?, mark: LinkMark?, rules: [RuleNote]? = []) {
            (self.target, self.ifb, self.mark) = (target, ifb, mark)
            self.rules = rules?.count == mark?.rules ?? 0 ? rules : nil
        }

        /// What it is called where its interface is gone too.
        package var name: String {
            target?.interface.name ?? mark.map { "interface \($0.interface)" } ?? ifb?.interface.name ?? "?"
        }
    }

    /// The group of each `ifb`: "HW".
    static let group: UInt32 = 0x4857

    static func intermediateName(for index: UInt32) -> String { "hwin\(index)" }

    /// Of one on which a shape is tried.
    static func trialName(for index: UInt32) -> String { "hwin\(index)t" }

    /// Whether an interface is one that Headwind has made.
    static func isOwn(_ state: InterfaceState) -> Bool {
        state.kind == "ifb" && state.group == group && state.interface.name.hasPrefix("hwin")
    }

    /// Throws where no interface can be called that.
    package static func check(name: String) throws(InterfaceLinkError) { _ = try read(name) }

    private static func read(_ name: String) throws(InterfaceLinkError) -> InterfaceName {
        do { return try InterfaceName(name) } catch { throw InterfaceLinkError(.request, error.description) }
    }

    /// The interface of a name; throws where there is none.
    package func interface(named name: String) throws(InterfaceLinkError) -> InterfaceState {
        let name = try Self.read(name)
        do {
            return try socket.interface(name)
        } catch  where error.code == .operationNotSupportedByDevice {
            throw InterfaceLinkError(
                .request, "Could not find interface \(name): this network has no interface of that name. See 'ip link'."
            )
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// What is on the interface of a name; without one, everything of Headwind's in this network.
    package func find(named name: String?) throws(InterfaceLinkError) -> [Found] {
        guard let name else { return try all() }
        let state = try interface(named: name)
        // Half a shape is not looked at, nor taken off.
        if Self.isOwn(state) { return try all().filter { $0.ifb?.interface == state.interface } }
        return try find(on: state).map { [$0] } ?? []
    }

    /// Everything of Headwind's in this network.
    package func all() throws(InterfaceLinkError) -> [Found] {
        do throws(NetlinkError) {
            let states = try socket.interfaces()
            let own = states.filter(Self.isOwn)
            // What is kept of rules goes with its interface, whatever else of a shape is left.
            let listed = own.filter { one in !Self.isNote(one) || !states.contains { Self.isNote(one, for: $0) } }
            var found = listed.map { ifb in
                let target = states.first { Self.intermediateName(for: $0.interface.index) == ifb.interface.name }
                return Self.found(target, ifb, among: states)
            }
            // Where somebody has removed the ifb, what is left is known by its handles.
            for state in states where !own.contains(where: { $0.interface == state.interface }) {
                let isListed = found.contains { $0.target?.interface == state.interface }
                guard !isListed else { continue }
                let hasNotes = own.contains { Self.isNote($0, for: state) }
                let hasRemains = try hasRemains(state.interface)
                guard hasNotes || hasRemains else { continue }
                found.append(Found(target: state, ifb: nil, mark: nil))
            }
            return found.sorted { $0.name < $1.name }
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    /// What is on one interface; nil where nothing is.
    package func find(on target: InterfaceState) throws(InterfaceLinkError) -> Found? {
        do throws(NetlinkError) {
            let name = Self.intermediateName(for: target.interface.index)
            let states = try socket.interfaces()
            let ifb = states.first { $0.interface.name == name && Self.isOwn($0) }
            if let ifb { return Self.found(target, ifb, among: states) }
            let hasNotes = states.contains { Self.isNote($0, for: target) }
            let hasRemains = try hasRemains(target.interface)
            return hasNotes || hasRemains ? Found(target: target, ifb: nil, mark: nil) : nil
        } catch {
            throw InterfaceLinkError(error)
        }
    }

    private func hasRemains(_ interface: NetworkInterface) throws(NetlinkError) -> Bool {
        let queues = try socket.queues(of: interface)
        if Self.ownRoot(in: queues, hasIntermediate: false) != nil { return true }
        guard queues.contains(where: { $0.kind == "ingress" && !$0.hasBlock }) else { return false }
        return try socket.filters(of: interface, at: InterfacePlan.ingress).contains(where: Self.isOwnFilter)
    }

    /// The root queue of a shape.
    ///
    /// Anybody may have taken its number. Where there is no `ifb` that says that there is a shape, only the bucket with a rate that no other program
    /// has a use for makes it Headwind's.
    static func ownRoot(in queues: [InstalledTraffic], hasIntermediate: Bool) -> InstalledTraffic? {
        guard let root = queues.first(where: { $0.parent == .root && $0.handle == InterfaceTree.root }) else {
            return nil
        }
        func isWide(_ queue: InstalledTraffic) -> Bool { queue.bucketRate == Netem.orderly.bytesPerSecond }
        let isOwn =
            switch root.kind {
            case "tbf": hasIntermediate || isWide(root)
            case "htb": hasIntermediate || queues.contains { $0.parent.major == root.handle.major && isWide($0) }
            default: false
            }
        return isOwn ? root : nil
    }
}
