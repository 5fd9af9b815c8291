/// The exit status of a process that differs from its run's exit code, and why, in whole sentences.
package struct ProcessStatus: Sendable {
    package var code: Int32
    package var reason: String

    package init(code: Int32, reason: String) {
        self.code = code
        self.reason = reason
    }
}
