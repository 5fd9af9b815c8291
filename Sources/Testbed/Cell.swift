package import CellMessages
package import SystemPackage

/// Namespaces of their own, in which programs run: client – router – host.
///
/// The link between client and host is whoever reads and writes the two TUNs. Valid inside the closure that it was given to.
package final class Cell: Sendable {
    package typealias Namespace = CellNamespace
    package typealias Note = CellNote

    /// Packets from and for the client, one a read or write, without any header.
    ///
    /// Non-blocking, and closed at the end of the scope.
    package let clientTUN: FileDescriptor
    /// Packets from and for the host.
    package let hostTUN: FileDescriptor
    /// For whatever a run needs; it goes with the cell.
    package let scratch: CellDirectory
    /// A file system of the size that was asked for, which can fill; `nil` where none was.
    package let storage: CellDirectory?
    /// What the cell has to go on without.
    package let notes: [CellNote]

    /// What was lacking while connections of the cell were carried.
    package let shortage = CellShortage()

    let connection: CellConnection

    init(_ connection: CellConnection, _ answer: CellConnection.Answer) throws(CellError) {
        let descriptors = answer.descriptors
        guard let ready = answer.reply.ready, descriptors.count == (ready.storage == nil ? 3 : 4) else {
            for descriptor in descriptors { try? descriptor.close() }
            throw .misunderstood("A cell's first answer is none that says it is ready.")
        }
        self.connection = connection
        (clientTUN, hostTUN) = (descriptors[0], descriptors[1])
        scratch = CellDirectory(inside: FilePath(ready.scratch), descriptor: descriptors[2])
        storage = ready.storage.map { CellDirectory(inside: FilePath($0), descriptor: descriptors[3]) }
        notes = ready.notes
    }

    func close() {
        for descriptor in [clientTUN, hostTUN, scratch.descriptor] { try? descriptor.close() }
        try? storage?.descriptor.close()
    }
}
