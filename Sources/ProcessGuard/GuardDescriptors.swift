import CLinux
import Glibc
import SystemPackage

/// What the harness holds of a guard and its program.
struct GuardDescriptors: Sendable {
    /// Stands for the guard's process.
    var process: FileDescriptor
    /// The end of which the guard watches the other: it closes when the harness dies.
    var lifeline: FileDescriptor
    /// Where the guard's report arrives.
    ///
    /// Does not block.
    var report: FileDescriptor
    /// Where streamed output arrives.
    ///
    /// Do not block; owned by their readers.
    var output: FileDescriptor?
    var errors: FileDescriptor?

    func close() {
        for descriptor in [process, lifeline, report] {
            try? descriptor.close()
        }
    }
}
