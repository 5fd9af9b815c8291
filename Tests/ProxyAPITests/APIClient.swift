import Documents
import LinkModel
import ProxyAPI
import Scenarios
import SystemPackage
import Testing

@testable import ProxyLink

/// A client of the API in the same process.
struct APIClient {
    let api: ToxiproxyAPI
    let control: ControlAPI
    let named: NamedProxies

    /// Reads requests with the bundled profiles.
    private static let reader = LinkRequestReader(
        library: ProfileLibrary(folder: FilePath(#filePath).pushing("../../../profiles").lexicallyNormalized()),
        started: Profile(name: "unshaped"))

    /// Runs `body` with an API that has no proxies yet.
    static func with(
        allowed: [AddressRange] = [], limits: NamedProxyLimits = NamedProxyLimits(),
        _ body: (APIClient) async throws -> Void
    ) async throws {
        let configuration = ProxyLinkConfiguration(profile: Profile(name: "unshaped"), forward: nil)
        try await withProxyLink(configuration) { link in
            try await link.named.limit(to: limits)
            let api = ToxiproxyAPI(proxies: link.named, allowed: allowed) { bytes in
                guard case .profile(let profile) = try reader.read(bytes) else { throw ProxyLinkError.closed }
                return profile
            }
            let control = ControlAPI(proxies: link.named) { try reader.read($0) }
            try await body(APIClient(api: api, control: control, named: link.named))
        }
    }

    /// Sends a request, which is a method and a path, and returns the answer.
    func ask(
        _ request: String, _ body: String = "", fields: [String: [String]] = [:], client: String? = "127.0.0.1"
    ) async throws -> Answer {
        let words = request.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let asked = APIRequest(
            method: String(words[0]), target: String(words[1]),
            fields: ["host": ["127.0.0.1:8474"]].merging(fields) { $1 }, body: Array(body.utf8), client: client)
        let response = await asked.target.hasPrefix("/v2/") ? control.answer(asked) : api.answer(asked)
        return Answer(
            status: response.status, type: response.contentType, text: response.text,
            allow: response.fields.first { $0.name == "Allow" }?.value)
    }

    struct Answer {
        let status: Int
        let type: String
        let text: String
        /// The methods that a path takes; nil unless the request had another one.
        let allow: String?

        /// The value at a path such as `toxics.0.name`, as text; nil if there is none.
        func value(_ path: String) throws -> String? {
            var node = try JSONReader.read(text)
            for step in path.split(separator: ".") {
                switch node.content {
                case .object(let members):
                    guard let value = members.first(where: { $0.key == step })?.value else { return nil }
                    node = value
                case .array(let elements):
                    guard let index = Int(step), elements.indices.contains(index) else { return nil }
                    node = elements[index]
                case .string, .literal: return nil
                }
            }
            switch node.content {
            case .string(let text): return text
            case .literal(let word): return word
            case .array(let elements): return "\(elements.count) elements"
            case .object(let members): return "\(members.count) members"
            }
        }
    }
}

extension APIResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
