import Foundation
import ResourceLoading

@testable import PackFormat

extension ErrorCase {
    private static let empty = "Content-Length: 0"
    private static let nobody = try? LoopbackPort()
    private static let deaf = try? DeafPort()

    private static func refusing(_ word: String) -> Script {
        { request, _ in
            request.method == "CONNECT" ? [.head(502, "Proxy-Status: headwind; error=\(word)", empty)] : nil
        }
    }

    private static func status(_ status: Int, _ fields: String...) -> Script {
        { _, pack in
            pack.map { _ in [.text("HTTP/1.1 \(status) No\r\n\((fields + [empty, "", ""]).joined(separator: "\r\n"))")]
            }
        }
    }

    private static func part(of request: ScriptedServer.Request, _ body: [UInt8], upTo end: Int) -> [ScriptedServer
        .Step]
    {
        let whole = Right.answer(request, body)
        guard case .send(let rest)? = whole.last else { return whole }
        return whole.dropLast() + [.send(Array(rest.prefix(max(0, end - (request.from ?? 0)))))]
    }

    /// The host answers requests for this list with these steps instead.
    private static func list(_ path: String, _ steps: [ScriptedServer.Step]) -> Script {
        { request, _ in request.target == path ? steps : nil }
    }

    static let all = routes + answers + bodies + device

    /// The way to the host.
    private static let routes: [ErrorCase] = [
        ErrorCase("no usable interface", "radio none", -1009).device { $0.radio = .none }.early,
        ErrorCase("no usable interface", "no route, says the proxy", -1009).proxy(refusing("destination_ip_unroutable"))
            .early,
        ErrorCase("cellular only", "not allowed", -1020).device { ($0.radio, $0.allowsCellular) = (.cellular, false) }
            .early,
        ErrorCase("the name does not exist", "says the proxy", -1003).proxy(refusing("dns_error")).early,
        ErrorCase("refused", "nobody listens", -1004).device {
            $0.manifest = "http://127.0.0.1:\(nobody?.port ?? 0)/AssetPackManifest.plist"
        }.early,
        ErrorCase("refused", "says the proxy", -1004).proxy(refusing("connection_refused")).early,
        ErrorCase("no answer within patience", "resolver, says the proxy", -1001).proxy(refusing("dns_timeout")).early,
        ErrorCase("no answer within patience", "connect", -1001).device {
            $0.manifest = "http://127.0.0.1:\(deaf?.port ?? 0)/AssetPackManifest.plist"
        }.early,
        ErrorCase("no answer within patience", "tunnel", -1001).proxy { request, _ in
            request.method == "CONNECT" ? [.stall] : nil
        }.early,
        ErrorCase("no answer within patience", "head", -1001).pack { _, _ in [.stall] },
        ErrorCase("no answer within patience", "body", -1001).pack { request, body in
            part(of: request, body, upTo: 9000) + [.stall]
        },
        ErrorCase("the connection was lost", "RST at the same byte each time", -1005).pack { request, body in
            part(of: request, body, upTo: 9000) + [.reset]
        },
        ErrorCase("the connection was lost", "RST for a head", -1005).pack { _, _ in [.reset] },
        ErrorCase("the connection was lost", "the route is gone in mid-body", -1005).proxy { request, pack in
            if request.method == "CONNECT" {
                // Manifest, tag table and the first try for the pack use at most one tunnel each.
                return request.number > 3 ? refusing("destination_ip_unroutable")(request, pack) : [.head(200)]
            }
            return pack.map { part(of: request, $0.body, upTo: 9000) + [.reset] }
        },
    ]

    /// Statuses, and replies that are no valid answer.
    private static let answers: [ErrorCase] =
        [401, 407].map { ErrorCase("401, 407", "\($0)", -1013).host(status($0)) }
        + [403, 404, 410].map { ErrorCase("403, 404, 410", "\($0)", -1008).host(status($0)) }
        + [
            ErrorCase("403, 404, 410", "a signed address expires in mid-body", -1008).pack { request, body in
                request.from == nil ? part(of: request, body, upTo: 9000) + [.close] : [.head(403, empty)]
            },
            ErrorCase("403, 404, 410", "not in the manifest", -1008).host(
                list("/AssetPackManifest.plist", Right.whole((try? Fixture.manifest([packs[0]]).plist()) ?? []))
            ).early,
        ]
        + [408, 425, 429, 500, 503, 599].map { ErrorCase("408, 425, 429", "\($0)", -1011).host(status($0)) }
        + [
            ErrorCase("408, 425, 429", "Retry-After in seconds, past patience", -1011).host(
                status(503, "Retry-After: 99")),
            ErrorCase("408, 425, 429", "Retry-After as a date, past patience", -1011).host(
                status(429, "Retry-After: \(httpDate(secondsFromNow: 99))")),
            ErrorCase("another status", "418", -1011).host(status(418)),
            ErrorCase("another status", "no HTTP", -1011).pack { _, _ in [.text("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close]
            },
            ErrorCase("more than ten redirects", "to itself", -1007).pack { request, _ in
                [.head(302, "Location: \(request.target)", empty)]
            },
        ]

    /// Bodies, the manifest and the tag table.
    private static let bodies: [ErrorCase] = [
        ErrorCase("a short body", "the same byte each time", -1005).pack { request, body in
            part(of: request, body, upTo: 9000) + [.close]
        },
        ErrorCase("another status", "one byte more", -1011).pack { _, body in
            [.head(200, "Content-Length: \(body.count + 1)"), .send(body + [0])]
        },
        ErrorCase("another status", "one byte less", -1011).pack { _, body in
            [.head(200, "Content-Length: \(body.count - 1)"), .send(body.dropLast())]
        },
        ErrorCase("another status", "another part than was asked for", -1011).pack { request, body in
            guard let from = request.from else { return part(of: request, body, upTo: 9000) + [.close] }
            return [Right.partHead(from + 1, body.count), .send(Array(body[(from + 1)...]))]
        },
        ErrorCase("not the pack", "a wrong byte", -1016).pack { request, body in
            Right.answer(request, HostFaultTests.damaged(body))
        },
        ErrorCase("not the pack", "a captive portal's page", -1016).pack { _, _ in
            [.head(200, "Content-Type: text/html", "Content-Length: 4"), .text("<p/>")]
        },
        ErrorCase("no manifest or tag table", "404", 4994).host(list("/AssetPackManifest.plist", [.head(404, empty)]))
            .below("_NSBundleResourceRequestErrorDomain 100").early,
        ErrorCase("no manifest or tag table", "a page", 4994).host(
            list("/AssetPackManifest.plist", Right.whole(Array("<html>".utf8)))
        ).below("_NSBundleResourceRequestErrorDomain 100").early,
        ErrorCase("no manifest or tag table", "no tag table", 4994).host(
            list("/OnDemandResources.plist", [.head(410, empty)])
        )
        .below("_NSBundleResourceRequestErrorDomain 100").early,
    ]

    /// The app and its device.
    private static let device: [ErrorCase] = [
        ErrorCase("a tag that is not in the table", "one of two", 4994).asking(for: ["t", "none"]).early,
        ErrorCase("the in-use limit would be exceeded", "by one byte", 4993).device {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 69_999])
        }.early,
        ErrorCase("no room", "by one byte", 4992).device { $0.capacity = 69_999 }.early,
        ErrorCase("the store cannot be written", "a file in the place of its folder", 512).store { store in
            let place = store.appending("partial").string
            try FileManager.default.removeItem(atPath: place)
            try Data().write(to: URL(fileURLWithPath: place))
        }.early,
        ErrorCase("cancelled", "in mid-body", 3072).pack { request, body in
            part(of: request, body, upTo: 9000) + [.stall]
        }
        .acting { $0.cancel() },
    ]
}
