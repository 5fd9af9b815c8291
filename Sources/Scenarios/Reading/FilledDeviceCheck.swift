import LinkModel
import Results

/// Checks what a fault needs that fills the client's device.
struct FilledDeviceCheck {
    let fields: Fields

    func check(_ device: Device, _ workload: Workload?, _ expectations: Expectations?, _ faults: [LinkFault]) {
        guard faults.contains(where: { $0.effect == .deviceFull }) else { return }
        if let storage = device.storage, storage > Device.largestFilled {
            fields.refuse(
                "device", "a device of more than \(Device.largestFilled) cannot become full: it would fill the memory",
                hint: "make 'storage' smaller, or leave it out")
        }
        guard case .command(let command)? = workload else { return }
        let hasOracle = expectations?.conduct.contains { if case .oracle = $0 { true } else { false } } == true
        if hasOracle {
            fields.refuse(
                "expect", "an oracle cannot see the files of a device that becomes full",
                hint: "leave out 'oracle', or 'device: full'")
        }
        if command.directory != nil, !command.leavesOutput, !command.placeholders.contains(.output) {
            fields.refuse(
                "workload", "'directory' is not on the device that becomes full",
                hint: "leave it out, or have the command write to {output}")
        }
    }
}
