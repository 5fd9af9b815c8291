/// Takes what a transfer brings.
///
/// Every call comes from the transfer loop's one thread, in order, and must be brief.
protocol TransferReceiver: AnyObject, Sendable {
    /// The head of the final response is there: no interim response, no proxy's answer. Returns whether to go on.
    func received(_ head: ResponseHead) -> Bool

    /// The next bytes of its body. Returns whether to go on.
    func received(_ bytes: RawSpan) -> Bool
}
