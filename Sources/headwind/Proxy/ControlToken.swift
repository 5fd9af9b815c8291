/// The token that clients on other machines send to the control API of `headwind proxy`.
struct ControlToken {
    /// The variable with the token, if no option has it; other users of this machine can read options.
    static let variable = "HEADWIND_CONTROL_TOKEN"

    let text: String
    /// Whether it was generated here, so that the user must be shown it.
    let isNew: Bool

    /// Takes the option's token, or else the variable's, or else a new one of 128 bits from the system's random source.
    init(option: String?) throws(CommandFailure) {
        let given = option ?? Console.environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
        isNew = given == nil
        var random = SystemRandomNumberGenerator()
        text = given ?? (0..<2).map { _ in Self.hex(random.next()) }.joined()
        guard Self.isToken(text) else {
            throw CommandFailure(
                .usage,
                "The token of \(option == nil ? Self.variable : "--control-token") must be 1 to 512 of the characters "
                    + "A-Z, a-z, 0-9 and -._~+/, with '=' only at the end.")
        }
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether the text is a b64token of RFC 6750 §2.1, of at most 512 bytes.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.wholeMatch(of: /[A-Za-z0-9\-._~+\/]+=*/) != nil
    }
}
