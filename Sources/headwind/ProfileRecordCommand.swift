import ArgumentParser
import LinkModel
import ResourceLoading
import Scenarios
import SystemPackage
import Wording

/// `headwind profile record`: records a profile from a real connection.
struct ProfileRecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a profile from a real connection.",
        discussion: """
            Run 'headwind host' at the far end and walk around with this machine: the profile records the downlink \
            rate, the delays and the gaps on your way. Each turn sends three HEAD requests, keeps the shortest round \
            trip, and then fetches the start of a file: at most 8 MiB.

              headwind host --packs ./files --listen 0.0.0.0:18400   # at the far end
              headwind profile record http://203.0.113.7:18400/ --output ride.yaml
              headwind profile record https://cdn.example.com/a.zip --for 10min
              headwind exec --profile ./ride.yaml -- curl -O https://example.com/

            Ctrl-C ends the recording and writes the profile. It does not measure the uplink rate or the loss.

            Exit status: 0 the profile is written, 65 the file is unsuitable, 69 the host cannot be reached.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The URL of a file of 64 KiB or more, or of a folder of packs; it uses the largest.",
            valueName: "url"))
    var url: String

    @Option(name: .customLong("for"), time: "How long to record, 1s to 24h.")
    var length = Duration.seconds(60)

    @Option(time: "The resolution of the record, 500ms to 60s.")
    var every = Duration.seconds(2)

    @Option(help: "The profile's name: a-z, 0-9, '-' and '.'. (default: the name of the file, or 'recorded')")
    var name: String?

    @Option(help: "The new file to write. (default: stdout)", completion: .file(extensions: ["yaml"]))
    var output: String?

    @OptionGroup var transfers: TransferOptions

    func validate() throws {
        try ValidationError.check(length, in: .seconds(1) ... .seconds(86_400), "--for is 1s to 24h.")
        try ValidationError.check(every, in: .milliseconds(500) ... .seconds(60), "--every is 500ms to 60s.")
        try transfers.check()
        if let name, ImportedProfile.name(for: name) != name {
            throw ValidationError("'\(name)' is not a valid profile name; write '\(ImportedProfile.name(for: name))'.")
        }
    }

    func run() async throws {
        let path = output.map { FilePath($0) }
        if let path { try ProfileFile.checkAbsence(of: path) }
        OptionSecrets.hold(headers: transfers.header, addresses: [url])
        var recorder = LinkRecorder(url: url)
        transfers.apply(to: &recorder.transfers)
        (recorder.length, recorder.interval) = (length, every)
        let name = name ?? path?.stem.map { ImportedProfile.name(for: $0) } ?? "recorded"
        try await Interruption.endsWell { [recorder] in
            do {
                let samples = try await recorder.run { Console.progress("\($0.line(of: recorder.length))") }
                Console.progress("")
                try write(samples, name, path)
            } catch let error as LinkRecorder.Refusal {
                Console.progress("")
                throw CommandFailure(error.isUnreachable ? .unavailable : .invalidInput, error.description)
            }
        }
    }

    private func write(_ samples: [LinkRecorder.Sample], _ name: String, _ path: FilePath?) throws {
        let link = RecordedLink(stretches: samples.map(\.stretch))
        let source =
            "Recorded by 'headwind profile record' against \(Redaction.url(url)): rate of one connection, round trip "
            + "of requests. The uplink's rate and the loss were not measured."
        guard let profile = link.profile(name: name, source: source) else {
            throw CommandFailure(
                .unavailable,
                "nothing was recorded: could not measure a rate against '\(Redaction.url(url))'; record for longer, or "
                    + "use a larger file")
        }
        try ProfileFile(profile: profile, path: path).write()
    }
}

extension LinkRecorder.Sample {
    /// The sample as a stretch of a link.
    fileprivate var stretch: RecordedLink.Stretch {
        RecordedLink.Stretch(from: from, to: to, rate: rate, roundTrip: roundTrip, offline: failure.map(\.offline))
    }

    /// The sample on one line: `12 s of 60 s: 3.2 Mbit/s, 45 ms round trip`.
    fileprivate func line(of length: Duration) -> String {
        let seconds = { (time: Duration) in "\(Int(time.seconds.rounded())) s" }
        if let failure { return "\(seconds(to)) of \(seconds(length)): offline (\(failure.offline.rawValue))" }
        let trip = roundTrip.map { "\(Int(($0.seconds * 1000).rounded())) ms round trip" } ?? "no answer"
        let rate = rate.map { "\(BitRate(bitsPerSecond: max(1, Int64($0 / 10_000) * 10_000)))" } ?? "no rate"
        return "\(seconds(to)) of \(seconds(length)): \(rate), \(trip)"
    }
}

extension DownloadFailure.Kind {
    /// The kind of offline link on which a request fails in this way.
    fileprivate var offline: OfflineKind {
        switch self {
        case .noRoute: .noRoute
        case .refused: .refused
        case .nameNotFound: .noName
        default: .silent
        }
    }
}
