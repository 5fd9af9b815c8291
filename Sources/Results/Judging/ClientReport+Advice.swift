extension ClientReport.Severity {
    /// What a good client does where this is all that is known of a failure, and where that is written.
    var advice: String {
        switch self {
        case .wrongData:
            "Compare size and hash of the whole file with what was announced before it is used, and begin anew where they differ "
                + "(docs/client.md, What it promises: nothing wrong is ever visible)."
        case .crashes:
            "Take every answer of a host and of the system for possible, and end with an error that says what it was (exit(3))."
        case .claimsSuccess: "End with another status than 0 where what was asked for is not there (exit(3))."
        case .hangs:
            "Limit the time without a sign of life, for all tries together, and end with an error then (Apple, "
                + "URLSessionConfiguration.timeoutIntervalForRequest)."
        case .givesUp:
            "Try again what may go well the next time, such as a lost connection, 429 and 5xx: after a pause, as long as Retry-After says, "
                + "and from the byte that is missing (RFC 9110 sections 10.2.3, 14.2 and 15.6)."
        case .wasteful:
            "Ask for what is missing alone, and after a pause that grows (RFC 9110 section 14.2; RFC 6585 section 4)."
        }
    }
}
