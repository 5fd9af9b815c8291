import ProxyLink

/// A file that tells a device which proxy it is to use (proxy auto-configuration).
struct AutoConfiguration {
    let proxy: Endpoint

    /// Every connection goes through the proxy, and none past it where it does not answer: that one would be fast.
    var script: String {
        """
        function FindProxyForURL(url, host) {
          if (host === "\(proxy.host)") return "DIRECT";
          return "PROXY \(proxy)";
        }

        """
    }
}
