package import LinkModel
package import PackFormat

/// The device that the built-in client simulates.
package struct Device: Hashable, Sendable {
    /// How a device is connected.
    package enum Radio: String, CaseIterable, Sendable {
        case wifi
        case cellular
        case none
    }

    package var limits: Limits
    /// The variants of asset catalogs that it takes; nil: all.
    package var slice: Slice?
    /// The capacity for packs, in the built-in client's own accounts.
    package var capacity: ByteCount
    /// The size of the file system for the client's files; nil: they are on a file system of this machine.
    package var storage: ByteCount?
    package var radio: Radio
    /// Whether the app may use a cellular radio.
    package var isCellularAllowed: Bool

    /// The largest storage of a device that a fault fills: the room that it takes is memory.
    package static let largestFilled = ByteCount(64_000_000)
}

extension Cell {
    /// Whether a fault fills the device.
    package var fillsDevice: Bool { linkFaults.contains { $0.effect == .deviceFull } }

    /// Why no fault can fill the device: the key of the scenario, the reason, and what to do; empty if one can.
    package var obstaclesToFilling: [(key: String, message: String, hint: String)] {
        var found: [(key: String, message: String, hint: String)] = []
        if let storage = device.storage, storage > Device.largestFilled {
            let message = "a device of more than \(Device.largestFilled) cannot become full: it would fill the memory"
            found.append(("device", message, "make 'storage' smaller, or leave it out"))
        }
        guard case .command(let command) = workload else { return found }
        if expectations.conduct.contains(where: { $0.word == .oracle }) {
            let message = "an oracle cannot see the files of a device that becomes full"
            found.append(("expect", message, "leave out 'oracle', or 'device: full'"))
        }
        if command.directory != nil, !command.leavesOutput, !command.placeholders.contains(.output) {
            let message = "'directory' is not on the device that becomes full"
            found.append(("workload", message, "leave it out, or have the command write to {output}"))
        }
        return found
    }
}
