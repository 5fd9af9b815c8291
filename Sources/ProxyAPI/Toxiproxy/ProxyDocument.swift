import Documents
import LinkModel
package import ProxyLink

extension NamedProxyRequest {
    /// Reads a request to make a proxy; `place`: its place in a list, from 1.
    init(_ fields: Fields, place: Int? = nil) throws {
        let at = place.map { " at proxy \($0)" } ?? ""
        guard let name = try fields.text("name"), !name.isEmpty else { throw APIProblem.missing("name\(at)") }
        guard let upstream = try fields.text("upstream"), !upstream.isEmpty else {
            throw APIProblem.missing("upstream\(at)")
        }
        self.init(
            name: name, listen: try fields.text("listen") ?? "", upstream: upstream,
            isEnabled: try fields.flag("enabled") ?? true, link: try fields.text("link"))
    }
}

extension NamedProxy {
    /// The proxy in Toxiproxy's form, with the link if it shares one.
    var document: JSONTree {
        .object([
            "name": .text(name), "listen": .text(listen), "upstream": .text(upstream), "enabled": .flag(isEnabled),
            "link": link == name ? nil : .text(link), "toxics": .list(toxics.map(\.document)),
        ])
    }
}

/// The file of Toxiproxy's server, and the body of `/populate`: a list of proxies.
package enum ToxiproxyFile {
    /// The most bytes of a file: 1 MiB.
    package static let mostBytes = 1024 * 1024

    /// Reads the proxies of a list; throws ``Unreadable`` with a sentence if it cannot.
    package static func read(_ bytes: [UInt8]) throws(Unreadable) -> [NamedProxyRequest] {
        do { return try proxies(in: bytes) } catch {
            guard let problem = error as? JSONProblem else {
                throw Unreadable(description: APIProblem(error).message)
            }
            throw Unreadable(description: "line \(problem.mark.line), column \(problem.mark.column): \(problem.reason)")
        }
    }

    static func proxies(in bytes: [UInt8]) throws -> [NamedProxyRequest] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONProblem(.start, "it is not UTF-8") }
        var names: Set<String> = []
        return try JSONReader.read(text).elements("a list of proxies").enumerated().map { index, node in
            let request = try NamedProxyRequest(Fields(node, .ofToxiproxy), place: index + 1)
            guard names.insert(request.name).inserted else {
                throw JSONProblem(node.mark, "the name '\(request.name)' is listed twice")
            }
            return request
        }
    }

    /// The reason why a text is no list of proxies.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }
}
