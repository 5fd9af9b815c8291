extension DownloadFailure {
    /// Reads a status that brings no file; nil for those that may (2xx, 3xx, 416).
    init?(status: Int) {
        let kind: Kind
        switch status {
        case 200, 206, 300...399, 416: return nil
        case 401, 407: kind = .unauthorized
        case 403, 404, 410: kind = .absent
        // 408 and 425 ask for another try in so many words (RFC 9110 §15.5.9, RFC 8470 §5.2).
        case 408, 425, 429, 500...599: kind = .busy
        default: kind = .badResponse
        }
        self.init(kind, "The host answered with status \(status).")
    }
}
