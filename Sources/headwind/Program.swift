import Dispatch
import Glibc

/// Where the program begins.
@main enum Program {
    /// What Swift's threads take is looked at first, so this is no function of theirs.
    static func main() {
        Headwind.checkNeeds()
        Task { @MainActor in
            await Headwind.start()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
