/// What a request is for, and what of the kernel it needs.
package struct RequestPurpose: Hashable, Sendable {
    /// A part of the kernel that may be missing.
    package struct Part: Hashable, Sendable {
        /// Such as "no netem queue discipline".
        package var lack: String
        /// Its module, for modprobe(8).
        package var module: String
        /// Its option of the kernel's configuration.
        package var option: String

        package init(lack: String, module: String, option: String) {
            self.lack = lack
            self.module = module
            self.option = option
        }
    }

    /// Such as "bring up interface veth0", behind "Could not".
    package var attempt: String
    package var part: Part?

    package init(_ attempt: String, part: Part? = nil) {
        self.attempt = attempt
        self.part = part
    }
}
