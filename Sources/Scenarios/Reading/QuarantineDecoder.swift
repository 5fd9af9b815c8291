import Results

/// Reads `{until: 2026-12-31, reason: the new radio stack}`; both keys are required, so that no quarantine is
/// forgotten.
enum QuarantineDecoder {
    static var decoder: FieldDecoder<Quarantine> {
        .mapping("a quarantine") { fields in
            let until = fields.required("until", day)
            let reason = fields.required("reason", .text)
            guard let until, let reason else { return nil }
            return Quarantine(until: until, reason: reason)
        }
    }

    /// A day of the Gregorian calendar, in ISO 8601 format.
    private static var day: FieldDecoder<String> {
        .scalar("a day such as 2026-12-31", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$") { text in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (48...57).contains($0) }),
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
            else { return .wrong(text, not: "a day such as 2026-12-31") }
            guard year > 0, (1...12).contains(month), (1...days(in: month, of: year)).contains(day) else {
                return .wrong("there is no day \(text)", hint: nil)
            }
            return .value(text)
        }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
