/// One request, a GET unless it says otherwise.
struct TransferRequest: Sendable {
    /// What is asked for.
    enum Method: Hashable, Sendable {
        case get, head
        /// A TLS handshake and no request, by a client that minds no certificate: it only wants to see them.
        case handshake(Protocols)
    }

    /// Which versions of TLS a handshake offers.
    enum Protocols: Hashable, Sendable {
        /// 1.2 and 1.3, as every download does.
        case usual
        /// 1.3 alone.
        case newest
        /// 1.0 and later, with ciphers that should not be used.
        case any
    }

    /// An absolute http or https URL.
    var url: String
    /// The first byte that is wanted: 0 asks for the whole without a Range field.
    var from: Int64 = 0
    /// What If-Range carries, where `from` is not 0: a strong ETag or a date.
    var validator: String?
    /// Further header fields, as `Name: value`.
    var headers: [String] = []
    var method = Method.get
    /// The longest that it may take, from the lookup to the last byte; nil, the default, for no limit but patience.
    var timeLimit: Duration?
    /// How long there was no sign of life before it: patience counts that too.
    var waited = Duration.zero
    /// Whether its bytes may wait a little, as long as nothing is urgent; false unless set.
    var isSparing = false
}
