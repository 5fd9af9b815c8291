/// One GET.
struct TransferRequest: Sendable {
    /// An absolute http or https URL.
    var url: String
    /// The first byte that is wanted: 0 asks for the whole without a Range field.
    var from: Int64 = 0
    /// What If-Range carries, where `from` is not 0: a strong ETag or a date.
    var validator: String?
    /// Further header fields, as `Name: value`.
    var headers: [String] = []
}
