import Testing

@testable import LinuxSupport

/// Variables of the environment, by a table.
@Suite struct EnvironmentTests {
    @Test(arguments: [
        ("http_proxy", true), ("HTTPS_PROXY", true), ("ALL_PROXY", true), ("no_proxy", true), ("ftp_proxy", true),
        ("Proxy", true), ("HEADWIND_PROXY", true), ("npm_config_noproxy", true), ("PROXY_HOST", false), ("PATH", false),
        ("proxies", false),
    ])
    func proxyVariables(name: String, isOne: Bool) {
        #expect(Environment.isProxyVariable(name) == isOne)
    }
}
