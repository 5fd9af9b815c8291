/// Reads `network: machine` and `network: {forward: [8080]}`: the ports of this machine that a program has on its own
/// loopback.
enum NetworkDecoder {
    /// What stands for this machine's networks without further ado.
    static let machine = "machine"

    static var decoder: FieldDecoder<[UInt16]> {
        let port = FieldDecoder<UInt16>.integer("a port", in: 1...65_535)
        return .either(
            FieldDecoder<String>.word("machine, or {forward: [8080]}", in: [machine]).map { _ in [] },
            .mapping("a network") { fields in
                fields.required("forward", .list("a list of ports, such as [8080]", of: port))
            }
        )
    }
}
