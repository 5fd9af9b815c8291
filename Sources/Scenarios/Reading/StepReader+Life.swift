import LinkModel
import Wording

/// Steps of an app's life, which do not concern a request.
extension StepReader {
    /// All keys of a step.
    static let kinds = [
        "request", "begin", "end", "cancel", "pause", "resume", "priority", "wait", "sleep", "use", "think", "launch",
        "update",
        "buy", "preserve", "radio", "fill", "purge", "remove",
    ]
    /// The steps that may be a word alone.
    static let words = ["install", "launch", "quit"]

    /// A step of one word.
    static func word(_ text: String, _ node: YAMLNode, _ problems: Problems) -> Workload.Step? {
        switch text {
        case "install": return .install
        case "launch": return .launch(bundle: nil)
        case "quit": return .quit
        default:
            let hint =
                NearestName.hint(for: text, in: words) ?? NearestName.of(text, in: kinds).map { "write '\($0): …'" }
                ?? "the steps are \((words + kinds.filter { !words.contains($0) }).joined(separator: ", "))"
            return problems.refuse("'\(text.abbreviated)' is not a step", at: node.mark, hint: hint)
        }
    }

    /// The steps of the app's life, by their keys.
    var furtherChoices: [(String, FieldDecoder<Workload.Step>)] {
        [
            ("launch", Self.launch),
            ("update", ContentDecoder(context: context).catalog.map(Workload.Step.update)),
            ("buy", Self.tags.map(Workload.Step.buy)),
            ("preserve", Self.preserve),
            ("remove", Self.tags.map(Workload.Step.remove)),
            ("radio", FieldDecoder<Device.Radio>.choice("a radio").map(Workload.Step.radio)),
            ("fill", Self.room.map(Workload.Step.fill)),
            ("purge", Self.purge),
        ]
    }

    private static var tags: FieldDecoder<[String]> { .list("a list of tags, such as [bonus]", of: .packName) }

    private static var launch: FieldDecoder<Workload.Step> {
        .mapping("a launch") { fields in
            fields.required("bundle", bundle).map { .launch(bundle: $0) }
        }
    }

    private static var bundle: FieldDecoder<String> {
        .matching("^[A-Za-z0-9.-]{1,155}$", "a bundle's identifier, such as com.example.game")
    }

    /// A size of storage, from 1 byte to 1 PiB.
    private static var room: FieldDecoder<ByteCount> {
        .quantity("a size such as 64 MiB or 2 GB", in: ByteCount(1)...ByteCount(1 << 50))
    }

    private static var purge: FieldDecoder<Workload.Step> {
        .mapping("a purge") { fields in
            fields.required("free", room).map { .purge(free: $0) }
        }
    }

    private static var preserve: FieldDecoder<Workload.Step> {
        .mapping("a preservation priority") { fields in
            let tags = fields.required("tags", tags)
            let share = fields.required("priority", priority("a priority from 0 to 1", words: []))
            guard let tags, case .value(let priority)? = share else { return nil }
            return .preserve(tags, priority: priority)
        }
    }
}
