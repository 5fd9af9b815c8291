package import Documents
import LinkModel
import ProxyLink

extension ControlAPI {
    /// The description of the API in OpenAPI 3.1, made from ``operations``.
    package static var openAPI: JSONTree {
        var paths: [JSONTree.Member] = []
        for operation in operations {
            let member = JSONTree.Member(key: operation.method.lowercased(), value: operation.description)
            if let index = paths.firstIndex(where: { $0.key == operation.path }) {
                guard case .object(let members) = paths[index].value else { continue }
                paths[index].value = .object(members + [member])
            } else {
                let parameters = operation.parameter.map { name in
                    JSONTree.Member(
                        key: "parameters",
                        value: .list([
                            .object([
                                "name": .text(name), "in": .text("path"), "required": .flag(true),
                                "schema": .object(["type": .text("string"), "minLength": .integer(1)]),
                            ])
                        ]))
                }
                paths.append(.init(key: operation.path, value: .object([parameters, member].compactMap(\.self))))
            }
        }
        return .object([
            "openapi": .text("3.1.0"),
            "info": .object([
                "title": .text("The control API of headwind proxy"), "version": .text("2"),
                "summary": .text("Links and named proxies of a running proxy, and events as they happen."),
            ]),
            "security": security,
            "paths": .object(paths),
            "components": .object([
                "schemas": schemas,
                "securitySchemes": .object([
                    "token": .object(["type": .text("http"), "scheme": .text("bearer")])
                ]),
            ]),
        ])
    }

    private static let text: JSONTree = .object(["type": .text("string")])

    /// Clients on loopback need no token.
    private static let security = JSONTree.list([.object([JSONTree.Member]()), .object(["token": .list([])])])

    private static var offline: JSONTree {
        let kinds = OfflineKind.allCases.map { JSONTree.text($0.rawValue) }
        return .object([
            "enum": .list(kinds + [.null]),
            "description": .text("The kind of offline, on top of the profile; null goes online."),
        ])
    }

    private static let ignored = JSONTree.object(["description": .text("The state now; PUT ignores it.")])

    private static func said(_ type: String, _ description: String) -> JSONTree {
        .object(["type": .text(type), "description": .text(description)])
    }

    /// A pattern for `HOST:PORT`, in which an IPv6 address has brackets.
    private static let endpoint =
        #"^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\]):"#
        + "([0-9]{1,4}|[0-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$"

    /// A schema for a value of this type, or for null, which counts as absent.
    private static func orNull(_ type: String, _ description: String? = nil) -> JSONTree {
        .object(["type": .texts([type, "null"]), "description": description.map(JSONTree.text)])
    }

    private static func proxy(requiring keys: [String]) -> JSONTree {
        .object([
            "type": .text("object"), "required": .texts(keys), "additionalProperties": .flag(false),
            "properties": .object([
                "name": .object([
                    "type": keys.contains("name") ? .text("string") : .texts(["string", "null"]),
                    "minLength": .integer(1),
                    "maxLength": .whole(NamedProxyLimits().nameBytes),
                ]),
                "listen": orNull("string", "127.0.0.1:8080; by default a free port of 127.0.0.1."),
                "upstream": said("string", "HOST:PORT").setting("pattern", .text(endpoint)),
                "enabled": orNull("boolean"),
                "link": orNull("string", "The link that it shares with others; by default one of its own name."),
                "toxics": orNull("array").setting("items", reference("Toxic")),
                "status": ignored,
            ]),
        ])
    }

    private static var schemas: JSONTree {
        let anything: JSONTree = .object(["type": .text("object")])
        func named(_ schema: String) -> JSONTree {
            .object(["type": .text("object"), "additionalProperties": reference(schema)])
        }
        return .object([
            "Link": .object([
                "type": .text("object"), "additionalProperties": .flag(false),
                "properties": .object([
                    "name": orNull("string"),
                    "profile": .object([
                        "type": .texts(["string", "object"]),
                        "description": .text(
                            "The name of a profile, or a whole profile as in docs/reference/profiles.md."),
                    ]),
                    "conditions": said("object", "The keys of a profile that describe one moment."),
                    "offline": offline,
                    "seed": .object([
                        "type": .texts(["string", "integer", "null"]),
                        "description": .text("The seed of random decisions; set it when you make the link."),
                    ]),
                    "schedule": orNull(
                        "string", "The L2 lines of a fault schedule, instead of chance; set it when you make the link."),
                    "status": ignored,
                ]),
            ]),
            "Links": named("Link"),
            "Proxy": proxy(requiring: ["upstream"]), "NewProxy": proxy(requiring: ["name", "upstream"]),
            "Proxies": named("Proxy"),
            "Toxic": .object([
                "type": .text("object"), "required": .texts(["type"]), "additionalProperties": .flag(false),
                "properties": .object([
                    "name": orNull("string"), "type": .object(["enum": .texts(Toxic.Effect.all.map(\.type))]),
                    "stream": .object(["enum": .list([.text("downstream"), .text("upstream"), .null])]),
                    "toxicity": orNull("number"), "attributes": orNull("object"),
                ]),
            ]),
            "Problem": .object([
                "type": .text("object"), "required": .texts(["error", "status"]),
                "properties": .object(["error": text, "status": .object(["type": .text("integer")])]),
            ]),
            "Connections": .object([
                "type": .text("array"),
                "items": .object([
                    "type": .text("object"),
                    "required": .texts(["connection", "link", "downlink", "uplink"]),
                    "properties": .object([
                        "connection": said("integer", "Its number in events."), "link": text, "proxy": text,
                        "client": said("string", "The address and port of the client."), "target": text,
                        "serverName": said("string", "The name that a client of TLS asks for (SNI)."),
                        "key": said("string", "The key of random decisions about it."),
                        "downlink": said("integer", "Bytes delivered to the client."),
                        "uplink": said("integer", "Bytes delivered to the target."),
                    ]),
                ]),
            ]),
            "Events": text, "Description": anything,
        ])
    }

    fileprivate static func reference(_ schema: String) -> JSONTree {
        .object(["$ref": .text("#/components/schemas/\(schema)")])
    }
}

extension ControlAPI.Operation {
    /// The operation in OpenAPI 3.1.
    fileprivate var description: JSONTree {
        func content(_ schema: String) -> JSONTree {
            let type = schema == "Events" ? "text/event-stream" : "application/json"
            return .object([
                JSONTree.Member(key: type, value: .object(["schema": ControlAPI.reference(schema)]))
            ])
        }
        var refusals: [(status: Int, schema: String?)] = [(401, "Problem"), (403, "Problem")]
        if body != nil { refusals.append((413, nil)) }
        let answers = (answers + refusals).sorted { $0.status < $1.status }.map { answer in
            JSONTree.Member(
                key: "\(answer.status)",
                value: .object([
                    "description": .text(Self.words[answer.status] ?? "refused"),
                    "content": answer.schema.map(content),
                ]))
        }
        return .object([
            "operationId": .text(id), "summary": .text(summary),
            "requestBody": body.map { .object(["required": .flag(true), "content": content($0)]) },
            "responses": .object(answers),
        ])
    }

    private static let words = [
        200: "done", 201: "made", 204: "removed", 400: "bad request", 401: "the token is missing",
        403: "refused to pages in browsers, and to other host names without the token", 404: "not found",
        409: "it exists already, or is in use", 413: "the body has more than 1 MiB",
        500: "it could not listen", 503: "limit reached",
    ]
}
