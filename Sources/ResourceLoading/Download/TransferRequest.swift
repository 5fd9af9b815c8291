/// One request; a GET unless `method` is set.
struct TransferRequest: Sendable {
    /// What to ask for.
    enum Method: Hashable, Sendable {
        case get, head
        /// A TLS handshake without a request, which accepts any certificate, to see the certificates.
        case handshake(Protocols)
    }

    /// Which versions of TLS a handshake offers.
    enum Protocols: Hashable, Sendable {
        /// 1.2 and 1.3, as every download does.
        case usual
        /// 1.3 alone.
        case newest
        /// 1.0 and later, with obsolete ciphers.
        case any
    }

    /// An absolute http or https URL.
    var url: String
    /// The first byte to fetch; 0 (the default) asks for the whole file without a Range field.
    var from: Int64 = 0
    /// The value for If-Range if `from` is not 0: a strong ETag or a date.
    var validator: String?
    /// Further header fields, as `Name: value`.
    var headers: [String] = []
    var method = Method.get
    /// The longest time from the lookup to the last byte; nil (the default) for no limit except patience.
    var timeLimit: Duration?
    /// How long there was no sign of life before this request; patience counts that time too.
    var waited = Duration.zero
    /// Whether its bytes may wait a little, as long as nothing is urgent; false unless set.
    var isSparing = false
}
