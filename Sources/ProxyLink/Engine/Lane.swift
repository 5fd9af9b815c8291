internal import LinkModel
internal import NIOCore

/// One direction of one connection.
struct Lane {
    /// Sent into the model, and not yet delivered by it.
    var held = HeldBytes()
    /// Of `held`: what the model has delivered, and what is still to be written.
    var due = 0
    /// The model has delivered the sender's FIN.
    var isFinishDue = false
    /// The sender has sent its FIN into the model.
    var hasFinished = false
    /// That FIN stands for an RST, which follows what was sent before it as a FIN does.
    var endsByReset = false
    /// What the model believes of the receiver: whether it reads.
    var isReceiving = true
    /// Reading stopped because enough waits in front of the link.
    var isThrottled = false
    /// Payload bytes written towards the receiver.
    var delivered: Int64 = 0
    /// When the last of them arrived.
    var deliveredAt = Instant(nanoseconds: 0)
    /// What of `delivered` has been told, and when.
    var reported: Int64 = 0
    var reportedAt = Instant(nanoseconds: .min)
}
