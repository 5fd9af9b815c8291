extension HostFault {
    /// What is declared of a kind of action.
    package struct Row: Sendable {
        /// What stands behind the name; nil: nothing.
        package let value: Values?
        /// What may be said beside it, in order.
        package let options: [Parameter]
        package let form: Form
        package let part: Part
        /// How it is written on a command line: code spans, what may be left out in brackets.
        package let notation: String
        /// How a scenario writes its value: code spans with words between them, an example first.
        package let scenario: String
        /// What the client meets.
        package let meaning: String
        /// The action that arguments make which are as declared.
        package let make: @Sendable (Arguments) -> Action

        init(
            _ value: Values?, options: [Parameter] = [], form: Form = .value, concerns part: Part, notation: String,
            scenario: String, _ meaning: String,
            make: @escaping @Sendable (Arguments) -> Action
        ) {
            self.value = value
            self.options = options
            self.form = form
            self.part = part
            self.notation = notation
            self.scenario = scenario
            self.meaning = meaning
            self.make = make
        }
    }

    /// How a scenario writes a fault with a value.
    package enum Form: Sendable {
        /// `status: 503`; options are keys beside it.
        case value
        /// `cut: {at: 40 %}`: the value has this name in it, and options stand beside it there.
        case mapping(String)
        /// Either.
        case valueOrMapping(String)
    }

    /// Something that is said of a fault beside its value.
    package struct Parameter: Sendable {
        package let name: String
        package let values: Values

        init(_ name: String, _ values: Values) { (self.name, self.values) = (name, values) }
    }

    /// What an argument may be.
    package enum Values: Sendable {
        case httpStatus
        case redirectStatus
        case duration
        /// Whole seconds, or a date.
        case retryAfter
        case place
        /// Bytes a second.
        case speed
        /// Bytes too many or too few.
        case difference
        /// Bytes, 0 or more.
        case count
        /// The value of a field of a head.
        case field
        case text
        /// One of some words, and what they say.
        case words(String, [String])
    }

    /// What is written of an action.
    package struct Arguments: Sendable {
        private let first: Argument?
        private let options: [String: Argument]

        /// What stands behind the name, and behind those of options; nil is left out.
        package init(_ value: Argument? = nil, _ options: [String: Argument?] = [:]) {
            first = value
            self.options = options.compactMapValues(\.self)
        }

        /// What stands behind the name; to be asked for only where the kind has a value.
        package var value: Argument {
            guard let first else { preconditionFailure("a fault of this kind has no value") }
            return first
        }

        /// The option of this name; nil where it is left out.
        package subscript(option: String) -> Argument? { options[option] }
    }

    /// One value; to be asked only for what was declared.
    package enum Argument: Hashable, Sendable {
        case number(Int)
        case duration(Duration)
        /// A date so long after the moment of the answer.
        case date(after: Duration)
        case place(ByteOffset)
        /// A difference, or bytes a second.
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
    /// As an argument of a fault.
    var argument: HostFault.Argument {
        switch self {
        case .seconds(let seconds): .duration(.seconds(seconds))
        case .date(let delay): .date(after: delay)
        }
    }
}

extension HostFault {
    /// Why no host can play this fault; nil where one can.
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
    /// The largest file that a fault makes.
    private static let mostBytes: Int64 = 1 << 50

    /// Why no host can play an argument; nil where one can.
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
    /// Whether this is a relative reference with a path from the root, or with a query alone: RFC 3986 section 4.2.
    fileprivate var isPathOrQuery: Bool { hasPrefix("?") || hasPrefix("/") && !hasPrefix("//") }

    /// Whether this can be the value of a header field without changing what stands around it, RFC 9110 §5.5.
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
