import ProxyLink

/// The environment of a program that is to send everything through a proxy.
enum ProxyEnvironment {
    /// `environment` without the caller's own proxies and exceptions, and with `proxy` for everything.
    ///
    /// `HTTP_PROXY` stays unset, as for a web server's CGI program it is a request header (CVE-2016-5385); what reads it
    /// reads `http_proxy` too.
    static func make(from environment: [String: String], proxy: Endpoint) -> [String: String] {
        var result = environment.filter { !isProxyVariable($0.key) }
        let address = "http://\(proxy)"
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { result[name] = address }
        for name in ["no_proxy", "NO_PROXY"] { result[name] = "" }
        return result
    }

    /// Names such as `https_proxy`, `FTP_PROXY`, `npm_config_proxy`.
    private static func isProxyVariable(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix("_proxy") || name == "npm_config_noproxy"
    }
}
