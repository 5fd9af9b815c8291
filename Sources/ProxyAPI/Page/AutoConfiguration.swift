import ProxyLink

/// A file by which a device finds the proxy that it should use (proxy auto-configuration).
struct AutoConfiguration {
    let proxy: Endpoint

    /// The script of the file: all connections use the proxy, except those to the proxy itself.
    ///
    /// There is no direct connection as a fallback: it would bypass the link, and be fast.
    var script: String {
        """
        function FindProxyForURL(url, host) {
          if (host === "\(proxy.host)") return "DIRECT";
          return "PROXY \(proxy)";
        }

        """
    }
}
