import ArgumentParser

/// Where the process begins.
@main
enum Main {
    /// Blocks the signals that `SignalWatch` waits for before any thread exists that could take them, then parses.
    static func main() async {
        SignalWatch.prepare()
        await HeadwindClient.main()
    }
}
