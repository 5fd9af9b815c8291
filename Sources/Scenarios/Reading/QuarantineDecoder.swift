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
        let day = FieldDecoder.matching("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "a day such as 2026-12-31")
        return day.then { text, node, problems in
            let parts = text.split(separator: "-").compactMap { Int($0) }
            guard parts[0] > 0, (1...12).contains(parts[1]), (1...days(in: parts[1], of: parts[0])).contains(parts[2])
            else {
                return problems.refuse("there is no day \(text)", at: node.mark)
            }
            return text
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
