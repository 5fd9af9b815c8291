import LinkModel
import ProxyLink

extension APIResponse {
    /// Toxiproxy's counters, in the text format of Prometheus, version 0.0.4.
    static func metrics(of proxies: [NamedProxy]) -> APIResponse {
        var lines: [String] = []
        let families: [(name: String, help: String, count: KeyPath<NamedProxy, PerDirection<Int64>>)] = [
            ("received", "Bytes read from the sender of a direction.", \.received),
            ("sent", "Bytes written to the receiver of a direction.", \.sent),
        ]
        for family in families {
            let name = "toxiproxy_proxy_\(family.name)_bytes_total"
            lines += ["# HELP \(name) \(family.help)", "# TYPE \(name) counter"]
            for proxy in proxies {
                for direction in [Direction.downlink, .uplink] {
                    let labels = [
                        ("direction", direction.stream), ("listener", proxy.listen), ("proxy", proxy.name),
                        ("upstream", proxy.upstream),
                    ].map { "\($0)=\"\($1.escapedLabel)\"" }.joined(separator: ",")
                    lines.append("\(name){\(labels)} \(proxy[keyPath: family.count][direction])")
                }
            }
        }
        let name = "headwind_proxy_connections"
        lines += ["# HELP \(name) Connections that are open.", "# TYPE \(name) gauge"]
        lines += proxies.map { "\(name){proxy=\"\($0.name.escapedLabel)\"} \($0.openConnections)" }
        return APIResponse(
            status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}

extension String {
    fileprivate var escapedLabel: String {
        replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
