import CCurl

/// One libcurl multi handle: many transfers on one thread.
///
/// Every method but `wakeUp` must be called on the thread that runs the transfers.
@safe
struct CurlMulti: ~Copyable, @unchecked Sendable {
    // Unchecked, because a pointer is not Sendable. The owner passes the handle to one thread and joins that thread
    // before the handle ends. Other threads call only curl_multi_wakeup(3), which is made for that.
    private let handle: UnsafeMutableRawPointer

    /// Makes a multi handle.
    ///
    /// Throws only if no memory is left, or if libcurl cannot be initialised.
    ///
    /// The corresponding C function is `curl_multi_init`.
    init() throws(CurlCode) {
        try CurlLibrary.prepare()
        guard let handle = unsafe curl_multi_init() else { throw .outOfMemory }
        unsafe self.handle = handle
    }

    deinit { _ = unsafe curl_multi_cleanup(handle) }

    /// Keeps at most this many idle connections for reuse.
    func keepConnections(_ count: Int) {
        _ = unsafe headwind_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count)
    }

    /// Starts a transfer at the next `advance`.
    func add(_ easy: borrowing CurlEasy) throws(CurlCode) {
        // Apart from a lack of memory, this fails only for handles that we must not add: a mistake of ours.
        guard unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK else { throw .outOfMemory }
    }

    /// Removes a transfer, whether it has finished or not.
    func remove(_ easy: borrowing CurlEasy) {
        _ = unsafe curl_multi_remove_handle(handle, easy.handle)
    }

    /// Does what can be done without waiting.
    ///
    /// Callbacks run during the call.
    func advance() {
        var running: Int32 = 0
        _ = unsafe curl_multi_perform(handle, &running)
    }

    /// The next finished transfer, named by its handle's address; nil if there is none.
    func nextFinished() -> (address: UInt, code: CurlCode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (UInt(bitPattern: easy), CurlCode(headwind_message_result(message)))
        }
        return nil
    }

    /// Waits for traffic, for libcurl's own timers, for `wakeUp`, or for this many milliseconds.
    func wait(milliseconds: Int32) {
        _ = unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil)
    }

    /// Ends a `wait` early, from any thread.
    func wakeUp() { _ = unsafe curl_multi_wakeup(handle) }
}

/// The process-wide part of libcurl.
enum CurlLibrary {
    private static let result = CurlCode(headwind_global_init())

    /// Initialises libcurl once in this process; further calls repeat the first result.
    static func prepare() throws(CurlCode) {
        guard result == .ok else { throw result }
    }
}
