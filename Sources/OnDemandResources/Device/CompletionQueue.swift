import Dispatch

/// Where apps are called back: one serial queue of the process's, whichever bundle a request is for, and never the
/// main one (NSBundle.h).
enum CompletionQueue {
    static let shared = DispatchQueue(label: "headwind.resource-requests")
}
