/// What a host answered to one probe.
struct ProbeAnswer: Sendable {
    /// The head; nil where none came.
    var head: ResponseHead?
    var body: [UInt8] = []
    /// Whether the body had more than was wanted.
    var isTooLong = false
    /// Why there is no whole answer; nil where there is.
    var failure: DownloadFailure?
    /// Where redirects led, without secrets.
    var redirects: [String] = []

    var status: Int { head?.status ?? 0 }

    /// What happened, for people.
    var text: String {
        if let head, failure == nil || head.status >= 300 || head.status == 200 { return "status \(head.status)" }
        return failure?.detail ?? "nothing"
    }
}
