package import CellMessages
package import SystemPackage

/// Namespaces of their own, in which programs run: client – router – host.
///
/// The link between client and host is whoever reads and writes the two TUNs, or the queues of the router. Valid inside the closure that it was given to.
package final class Cell: Sendable {
    package typealias Namespace = CellNamespace
    package typealias Note = CellNote

    /// How the networks are joined to the link.
    package let link: CellLinkKind
    /// The client's packets: of ``clientTUN``, or of ``clientTap``.
    private let clientEnd: FileDescriptor
    private let hostEnd: FileDescriptor
    /// For whatever a run needs; it goes with the cell.
    package let scratch: CellDirectory
    /// A file system of the size that was asked for, which can fill; `nil` where none was.
    package let storage: CellDirectory?
    /// What the cell has to go on without.
    package let notes: [CellNote]

    /// What was lacking while connections of the cell were carried.
    package let shortage = CellShortage()

    let connection: CellConnection

    init(_ connection: CellConnection, _ answer: CellConnection.Answer, link: CellLinkKind) throws(CellError) {
        let descriptors = answer.descriptors
        guard let ready = answer.reply.ready, descriptors.count == (ready.storage == nil ? 3 : 4) else {
            for descriptor in descriptors { try? descriptor.close() }
            throw .misunderstood("A cell's first answer is none that says it is ready.")
        }
        self.connection = connection
        self.link = link
        (clientEnd, hostEnd) = (descriptors[0], descriptors[1])
        scratch = CellDirectory(inside: FilePath(ready.scratch), descriptor: descriptors[2])
        storage = ready.storage.map { CellDirectory(inside: FilePath($0), descriptor: descriptors[3]) }
        notes = ready.notes
    }

    /// Packets from and for the client, one a read or write, without any header.
    ///
    /// Non-blocking, and closed at the end of the scope. Of a cell without a router.
    package var clientTUN: FileDescriptor { end(clientEnd, of: .packets) }
    /// Packets from and for the host.
    package var hostTUN: FileDescriptor { end(hostEnd, of: .packets) }
    /// A socket of packet(7) that shows the client's packets as they leave the router for the host.
    ///
    /// Closed at the end of the scope. Of a cell with a router.
    package var clientTap: FileDescriptor { end(clientEnd, of: .router) }
    /// A socket that shows the host's packets as they leave the router for the client.
    package var hostTap: FileDescriptor { end(hostEnd, of: .router) }

    /// The interfaces by which packets leave the router of a cell that has one.
    package static let routerInterfaces = (toClient: CellRouter.toClient, toHost: CellRouter.toHost)

    private func end(_ descriptor: FileDescriptor, of kind: CellLinkKind) -> FileDescriptor {
        precondition(link == kind, "this cell's networks are joined by \(link.rawValue)")
        return descriptor
    }

    func close() {
        for descriptor in [clientEnd, hostEnd, scratch.descriptor] { try? descriptor.close() }
        try? storage?.descriptor.close()
    }
}
