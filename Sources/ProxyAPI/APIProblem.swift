import Documents
import ProxyLink

/// The answer to a request that cannot be carried out: a status and a sentence.
struct APIProblem: Error {
    let status: Int
    let message: String
    /// The methods that the path takes; empty for other problems.
    private(set) var allowed: [String] = []

    init(status: Int, _ message: String) { (self.status, self.message) = (status, message) }

    /// The problem of a request whose method is not one of these.
    init(takes methods: [String]) {
        self.init(status: 405, "method not allowed: this path takes \(methods.joined(separator: ", "))")
        allowed = methods
    }

    /// The field `Allow` of a status 405 (RFC 9110 §10.2.1).
    var fields: [(name: String, value: String)] {
        allowed.isEmpty ? [] : [("Allow", allowed.joined(separator: ", "))]
    }

    /// The problem of an error, with the status that Toxiproxy has for it.
    init(_ error: any Error) {
        switch error {
        case let problem as APIProblem: self = problem
        case let problem as JSONProblem:
            self.init(
                status: 400,
                "bad request body: line \(problem.mark.line), column \(problem.mark.column): \(problem.reason)")
        case let error as NamedProxyError:
            switch error {
            case .proxyNotFound, .toxicNotFound, .linkNotFound: self.init(status: 404, error.description)
            case .proxyExists, .toxicExists, .profileTaken, .linkUsed: self.init(status: 409, error.description)
            case .invalid: self.init(status: 400, "bad request body: \(error.description)")
            case .tooMany: self.init(status: 503, error.description)
            case .cannotListen, .listening: self.init(status: 500, error.description)
            }
        case let refusal as LinkPageRefusal: self.init(status: 409, refusal.description)
        default: self.init(status: 500, "\(error)")
        }
    }

    var document: JSONTree { .refusal(message, status: status) }

    static func missing(_ field: String) -> APIProblem {
        APIProblem(status: 400, "missing required field: \(field)")
    }
}

extension APIResponse {
    /// An answer with status 204 and no body.
    static let nothing = APIResponse(status: 204, contentType: "", body: [])

    init(problem: APIProblem) {
        self.init(status: problem.status, problem.document)
        fields = problem.fields
    }
}
