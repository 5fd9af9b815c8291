extension HostFault {
    /// The declaration of a kind of action: its arguments, its notations and its effect.
    package struct Row: Sendable {
        /// The values allowed after the name; nil if the kind has no value.
        package let value: Values?
        /// The options besides the value, in order.
        package var options: [Parameter] = []
        package var form = Form.value
        package let part: Part
        /// The notation on a command line: code spans, with optional parts in brackets.
        package let notation: String
        /// The notation of the value in a scenario: code spans with words between them, an example first.
        package let scenario: String
        /// The effect that the client sees.
        package let meaning: String
        /// Makes the action of arguments that match this declaration.
        package let make: @Sendable (Arguments) -> Action
    }

    /// How a scenario writes a fault with a value.
    package enum Form: Sendable {
        /// `status: 503`; options are keys next to it.
        case value
        /// `cut: {at: 40 %}`: a mapping in which the value has this name, next to the options.
        case mapping(String)
        /// Either.
        case valueOrMapping(String)
    }

    /// An option of a fault, besides its value.
    package struct Parameter: Sendable {
        package let name: String
        package let values: Values

        init(_ name: String, _ values: Values) { (self.name, self.values) = (name, values) }
    }

    /// The values that an argument may have.
    package enum Values: Sendable {
        case httpStatus
        case redirectStatus
        case duration
        /// Whole seconds, or a date.
        case retryAfter
        case place
        /// Bytes per second, 1 or more.
        case speed
        /// Bytes too many, or too few if negative.
        case difference
        /// Bytes, 0 to 1 PiB.
        case count
        /// The value of a header field.
        case field
        case text
        /// One of these words; the text says what they describe.
        case words(String, [String])
    }

    /// The arguments of an action, as written.
    package struct Arguments: Sendable {
        private let first: Argument?
        private let options: [String: Argument]

        /// A value after the name, and the values of options by name; an option that is nil is left out.
        package init(_ value: Argument? = nil, _ options: [String: Argument?] = [:]) {
            first = value
            self.options = options.compactMapValues(\.self)
        }

        /// The value after the name; traps if there is none.
        package var value: Argument {
            guard let first else { preconditionFailure("a fault of this kind has no value") }
            return first
        }

        /// The option of this name; nil if it is left out.
        package subscript(option: String) -> Argument? { options[option] }
    }

    /// One value; its properties trap for a type that the kind's row does not declare.
    package enum Argument: Hashable, Sendable {
        case number(Int)
        case duration(Duration)
        /// A date, this long after the moment of the answer; in the past if negative.
        case date(after: Duration)
        case place(ByteOffset)
        /// A difference or a size in bytes, or bytes per second.
        case bytes(Int64)
        case text(String)
    }
}

extension HostFault.Argument {
    package var number: Int { if case .number(let number) = self { number } else { mistaken() } }
    package var duration: Duration { if case .duration(let duration) = self { duration } else { mistaken() } }
    package var place: ByteOffset { if case .place(let place) = self { place } else { mistaken() } }
    package var bytes: Int64 { if case .bytes(let bytes) = self { bytes } else { mistaken() } }
    package var text: String { if case .text(let text) = self { text } else { mistaken() } }

    package var retryAfter: HostFault.RetryAfter {
        if case .date(let delay) = self { .date(after: delay) } else { .seconds(duration.components.seconds) }
    }

    private func mistaken() -> Never { preconditionFailure("\(self) is not what the table of faults declares") }
}

extension HostFault.RetryAfter {
    /// The value as an argument of a fault.
    var argument: HostFault.Argument {
        switch self {
        case .seconds(let seconds): .duration(.seconds(seconds))
        case .date(let delay): .date(after: delay)
        }
    }
}

extension HostFault {
    /// Why no host can play this fault, for an error; nil if a host can.
    package var impossibility: String? {
        if let tries, tries.lowerBound < 1 { return "tries are counted from 1" }
        if case .redirect(let target, _, _?) = action, !target.isPathOrQuery {
            return "a redirect with an origin needs a URL that begins with one '/' or with '?'"
        }
        let (kind, arguments) = action.spelling
        if let problem = kind.row.value?.problem(with: arguments.value) { return problem }
        return kind.row.options.lazy.compactMap { option in
            arguments[option.name].flatMap { option.values.problem(with: $0) }
        }.first
    }
}

extension HostFault.Values {
    /// Bytes of the largest file that a fault makes: 1 PiB.
    private static let mostBytes: Int64 = 1 << 50

    /// Why no host can play an argument, for an error; nil if a host can.
    fileprivate func problem(with argument: HostFault.Argument) -> String? {
        switch self {
        case .httpStatus:
            (200...599).contains(argument.number) ? nil : "a status is a number from 200 to 599"
        case .redirectStatus:
            (300...399).contains(argument.number) ? nil : "a redirect's status is a number from 300 to 399"
        case .duration: argument.duration >= .zero ? nil : "a duration is not negative"
        case .retryAfter: argument.retryAfter.isPossible ? nil : "Retry-After in seconds is not negative"
        case .place: argument.place.isPlace ? nil : "a place is at least 0, and at most 100%"
        case .speed: argument.bytes >= 1 ? nil : "a drip is at least 1 byte (8 bits) per second"
        case .count: (0...Self.mostBytes).contains(argument.bytes) ? nil : "a size is from 0 B to 1 PiB"
        case .field:
            argument.text.isFieldValue
                ? nil : "the value of a header field is not empty, and has no line breaks or other control characters"
        case .difference, .text, .words: nil
        }
    }
}

extension HostFault.RetryAfter {
    fileprivate var isPossible: Bool {
        switch self {
        case .seconds(let seconds): seconds >= 0
        case .date: true
        }
    }
}

extension String {
    /// Whether this is a relative reference with a path from the root, or with only a query: RFC 3986 section 4.2.
    fileprivate var isPathOrQuery: Bool { hasPrefix("?") || hasPrefix("/") && !hasPrefix("//") }

    /// Whether this can be a header field's value without changing the text around it, RFC 9110 §5.5.
    fileprivate var isFieldValue: Bool {
        !isEmpty && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }
}

extension ByteOffset {
    fileprivate var isPlace: Bool {
        switch self {
        case .bytes(let count): count >= 0
        case .fraction(let part): (0...1).contains(part)
        }
    }
}
