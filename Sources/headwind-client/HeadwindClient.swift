import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import LinuxSupport
import ResourceLoading
import Synchronization
import SystemPackage
import Wording

/// The client of one workload.
@main
struct HeadwindClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headwind-client",
        abstract: "Request on-demand resources by a workload, and report every event as JSON Lines.",
        discussion: """
            EXAMPLES
              $ headwind-client --manifest http://127.0.0.1:8080/AssetPackManifest.plist --store /tmp/device level-2
              $ headwind-client --manifest "$URL" --store device --workload workload.json --events-fd 3 3> events.jsonl

            Exit status: 0 all requests were available, 1 a request ended in an error or a call was out of order, 64 \
            usage, 70 the client could not run, 130 and 143 interrupted.
            """
    )

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The steps to run, in JSON; '-' for the standard input.", valueName: "file"))
    var workload: String?

    @Option(help: ArgumentHelp("Write events to this open descriptor.", valueName: "number"))
    var eventsFd: Int32 = 1

    @Argument(help: "Tags of one request, instead of a workload.")
    var tags: [String] = []

    func validate() throws {
        guard (workload == nil) != tags.isEmpty else { throw ValidationError("Name either tags or a --workload.") }
        guard fcntl(eventsFd, F_GETFD) >= 0 else {
            throw ValidationError("--events-fd \(eventsFd) is not open. Redirect it: \(eventsFd)> events.jsonl")
        }
    }

    func run() async throws {
        let steps: [Workload.Step]
        do {
            let workload = try readWorkload()
            if workload.hasFill, options.capacity == nil {
                throw WorkloadError("'fill' needs a device with a known capacity: add --capacity BYTES.")
            }
            steps = workload.steps
        } catch {
            throw ValidationError("--workload '\(workload ?? "")': \(error)")
        }
        let configuration = try options.configuration()
        let writer = EventWriter(descriptor: eventsFd)
        writer.write(.start) {
            ($0.client, $0.pid, $0.store, $0.bundle) = ("headwind-client", Int(getpid()), options.store, options.bundle)
            $0.manifest = options.manifest.contains("://") ? Redaction.url(options.manifest) : options.manifest
            ($0.limits, $0.radio) = (configuration.limits.name, options.radio)
        }
        let status = await work(steps, configuration, writer)
        writer.write(.exit) { $0.status = Int(status) }
        if let lost = writer.lost {
            Self.complain("Lost events: descriptor \(eventsFd) could not be written: \(lost).")
            throw ExitCode(70)
        }
        throw ExitCode(status)
    }

    private func work(
        _ steps: [Workload.Step], _ configuration: LoaderConfiguration, _ writer: EventWriter
    ) async -> Int32 {
        do {
            let progress = ProgressWatch()
            let device = try Device(configuration, isRunning: WorkloadOrder.runsFromTheStart(steps)) { event in
                writer.write(event)
                progress.note(event)
            }
            let runner = Task { try await WorkloadRunner(device: device, progress: progress).run(steps) }
            let signals = SignalWatch {
                runner.cancel()
                // This calls back the waiting requests.
                Task { await device.close() }
            }
            let (isGood, requests) = try await runner.value
            await device.close()
            // Releasing a request ends it. Keep all until here: a request that no step ends must not end earlier.
            withExtendedLifetime(requests) {}
            return signals.finish() ?? (isGood ? 0 : 1)
        } catch {
            Self.complain("\(error)")
            return 70
        }
    }

    private func readWorkload() throws -> Workload {
        guard let workload else { return Workload(tags: tags) }
        if workload == "-" { return try Workload(json: Self.read(.standardInput)) }
        let file = try FileDescriptor.open(FilePath(workload), .readOnly, options: [.closeOnExec])
        return try file.closeAfter { try Workload(json: Self.read(file)) }
    }

    /// Reads to the end of the file, up to 16 MiB.
    private static func read(_ file: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count < 16 << 20 {
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    private static func complain(_ text: String) {
        let line: TerminalText = "headwind-client: \(text)\n"
        _ = try? FileDescriptor.standardError.writeAll(line.description.utf8)
    }
}

/// Handles SIGINT and SIGTERM: the first requests an orderly end, the second ends the process at once.
///
/// It watches as long as it exists.
struct SignalWatch {
    private final class First: Sendable {
        let signal = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)
    }

    private let sources: [any DispatchSourceSignal]
    private let first = First()

    /// Calls `stop` at the first signal, and ignores SIGPIPE and SIGXFSZ.
    ///
    /// A closed pipe, or a file that may not grow, is then an error of write(2).
    init(stop: @escaping @Sendable () -> Void) {
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
        sources = [SIGINT, SIGTERM].map { [first] number in
            // Otherwise the signal would end the process before its source sees it.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let before = first.signal.withLock { first in
                    defer { first = first ?? (number, .now) }
                    return first
                }
                guard let before else { return stop() }
                if before.at.duration(to: .now) > SignalPipe.echo { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Stops watching; returns the exit status for the signal, 128 plus its number, or nil if there was none.
    func finish() -> Int32? {
        for source in sources { source.cancel() }
        return first.signal.withLock { $0.map { 128 + $0.number } }
    }
}
