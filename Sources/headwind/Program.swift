import Dispatch
import Glibc

/// The entry point of the program.
@main enum Program {
    /// Checks the resources for Swift's threads first, so it must not be `async`.
    static func main() {
        Headwind.checkNeeds()
        Task { @MainActor in
            await Headwind.start()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
