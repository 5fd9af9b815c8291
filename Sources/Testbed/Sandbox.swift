import CLinux
import Glibc
package import SandboxMessages
package import SystemPackage

/// Namespaces of their own, in which programs run: client – router – host.
///
/// The link between client and host is the program that reads and writes the two TUNs, or the queues of the router. Valid inside the closure that it was given to.
package final class Sandbox: Sendable {
    package typealias Namespace = SandboxNamespace
    package typealias Note = SandboxNote

    /// How the networks are joined to the link.
    package let link: SandboxLinkKind
    /// The client's packets: of ``clientTUN``, or of ``clientTap``.
    private let clientEnd: FileDescriptor
    private let hostEnd: FileDescriptor
    /// For whatever a run needs; it goes with the sandbox.
    package let scratch: SandboxDirectory
    /// A file system of the size that was asked for, which can fill; `nil` where none was.
    package let storage: SandboxDirectory?
    /// What the sandbox has to go on without.
    package let notes: [SandboxNote]

    /// What was lacking while connections of the sandbox were carried.
    package let shortage = SandboxShortage()

    let connection: SandboxConnection

    init(_ connection: SandboxConnection, _ answer: SandboxConnection.Answer, link: SandboxLinkKind)
        throws(SandboxError)
    {
        let descriptors = answer.descriptors
        guard let ready = answer.reply.ready, descriptors.count == (ready.storage == nil ? 3 : 4) else {
            for descriptor in descriptors { try? descriptor.close() }
            throw .misunderstood("A sandbox's first answer does not say that it is ready.")
        }
        self.connection = connection
        self.link = link
        (clientEnd, hostEnd) = (descriptors[0], descriptors[1])
        scratch = SandboxDirectory(inside: FilePath(ready.scratch), descriptor: descriptors[2])
        storage = ready.storage.map { SandboxDirectory(inside: FilePath($0), descriptor: descriptors[3]) }
        notes = ready.notes
    }

    /// Packets from and for the client, one a read or write, without any header.
    ///
    /// Non-blocking, and closed at the end of the scope. Of a sandbox without a router.
    package var clientTUN: FileDescriptor { end(clientEnd, of: .packets) }
    /// Packets from and for the host.
    package var hostTUN: FileDescriptor { end(hostEnd, of: .packets) }
    /// A socket of packet(7) that shows the client's packets as they leave the router for the host.
    ///
    /// Closed at the end of the scope. Of a sandbox with a router.
    package var clientTap: FileDescriptor { end(clientEnd, of: .router) }
    /// A socket that shows the host's packets as they leave the router for the client.
    package var hostTap: FileDescriptor { end(hostEnd, of: .router) }

    /// The interfaces by which packets leave the router of a sandbox that has one.
    package static let routerInterfaces = (toClient: SandboxRouter.toClient, toHost: SandboxRouter.toHost)

    private func end(_ descriptor: FileDescriptor, of kind: SandboxLinkKind) -> FileDescriptor {
        precondition(link == kind, "this sandbox's networks are joined by \(link.rawValue)")
        return descriptor
    }

    func close() {
        for descriptor in [clientEnd, hostEnd, scratch.descriptor] { try? descriptor.close() }
        try? storage?.descriptor.close()
    }
}

/// A directory of a sandbox, in its own memory file system.
package struct SandboxDirectory: Sendable {
    /// Its path for programs in the sandbox.
    package let inside: FilePath
    /// What it is found by from outside.
    ///
    /// Valid, and the directory with it, until the scope of the sandbox ends, also if the sandbox has died.
    package let descriptor: FileDescriptor

    /// Its path for this process: through `descriptor`, so that nothing is mounted outside.
    package var outside: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

    /// Opens what a program in the sandbox has left at a path in it, for reading: never something elsewhere, to which a link
    /// of the program's may lead.
    package func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
        let opened = unsafe path.withPlatformString { unsafe headwind_open_beneath(descriptor.rawValue, $0) }
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: opened)
    }
}
