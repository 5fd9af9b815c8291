import Foundation

// On Apple's platforms, Foundation has the C library.
#if canImport(Glibc)
    import Glibc
#endif

/// A proxy that ``withStandingProxy(options:program:_:)`` has started; it ends with the block.
public struct StandingProxy: Sendable {
    /// Its control API.
    public let control: Control
    /// The address of the control API, for `HEADWIND_CONTROL` of other programs.
    public let controlAddress: String
    /// Where its HTTP and SOCKS 5 proxy listens, as `HOST:PORT`; empty if it has none.
    public let address: String

    /// The link of that listener.
    public var link: Link { control.main(address: address) }
}

/// Runs `body` with a new link that follows a profile.
///
/// With `upstream` (`HOST:PORT`), the link's `address` leads there. The link then belongs to the proxy at
/// `HEADWIND_CONTROL`; without this variable, a proxy is started for it. Without `upstream`, the link's `address` is an
/// HTTP and SOCKS 5 proxy that is started for it. `seed`: the seed of random decisions; by default the proxy chooses
/// it.
///
/// Throws ``ControlError`` if a proxy does not come up or refuses, and each error of `body`.
public func withLink<Value>(
    _ profile: Profile, upstream: String? = nil, seed: UInt64? = nil, _ body: (Link) async throws -> Value
) async throws -> Value {
    guard let upstream else {
        let isNamed = profile.document == nil
        let options = (isNamed ? ["--profile", profile.name] : []) + (seed.map { ["--seed", "\($0)"] } ?? [])
        return try await withStandingProxy(options: options) { proxy in
            if !isNamed { try await proxy.link.follow(profile) }
            return try await body(proxy.link)
        }
    }
    if let control = try Control() {
        return try await control.withLink(profile, upstream: upstream, seed: seed, body)
    }
    return try await withStandingProxy { proxy in
        try await proxy.control.withLink(profile, upstream: upstream, seed: seed, body)
    }
}

/// Starts `headwind proxy` with a control API at a free port, and ends it after `body`.
///
/// `options`: more of its options, such as `["--seed", "7"]`; without `--profile`, links are unshaped until you change
/// them. `program`: the path of headwind; by default that of `HEADWIND`, else `headwind` in the PATH. Throws
/// ``ControlError`` with the proxy's messages if it does not come up within 30 s, and each error of `body`.
public func withStandingProxy<Value>(
    options: [String] = [], program: String? = nil, _ body: (StandingProxy) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-swift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    let (ready, log) = (folder.appending(path: "ready.json"), folder.appending(path: "log"))
    try Data().write(to: log)
    let environment = ProcessInfo.processInfo.environment["HEADWIND"].flatMap { $0.isEmpty ? nil : $0 }
    // env(1) finds the program in the PATH, and replaces itself by it.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
        [
            program ?? environment ?? "headwind", "proxy", "--control", "127.0.0.1:0", "--listen", "127.0.0.1:0",
            "--ready-file", ready.path,
        ] + (options.contains("--profile") ? [] : ["--toxiproxy", "127.0.0.1:0"]) + options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    return try await ending {
        try await body(try await proxy(of: process, ready: ready, log: log))
    } with: {
        await end(process)
    }
}

/// The fields of the ready file that are needed here.
private struct Addresses: Decodable {
    let control: String
    let forward: String?
}

/// Waits until a process has written its addresses.
private func proxy(of process: Process, ready: URL, log: URL) async throws -> StandingProxy {
    let deadline = ContinuousClock.now + .seconds(30)
    while !FileManager.default.fileExists(atPath: ready.path) {
        guard process.isRunning, ContinuousClock.now < deadline else {
            let said = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").trimmingCharacters(in: .newlines)
            // env(1) has this status if there is no such program.
            let isMissing = !process.isRunning && process.terminationStatus == 127
            let advice = isMissing ? ". Install Headwind, or set HEADWIND to the path of its program" : ""
            throw ControlError("headwind proxy did not start: \(said.isEmpty ? "it said nothing" : said)\(advice)")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    // The proxy renames the file to this name after it is complete.
    let addresses = try JSONDecoder().decode(Addresses.self, from: Data(contentsOf: ready))
    return StandingProxy(
        control: try Control(address: addresses.control), controlAddress: addresses.control,
        address: addresses.forward.map { $0.replacing("http://", with: "") } ?? "")
}

/// Ends a process by SIGTERM, and by SIGKILL after 10 s.
private func end(_ process: Process) async {
    process.terminate()
    let deadline = ContinuousClock.now + .seconds(10)
    while process.isRunning {
        if ContinuousClock.now > deadline { kill(process.processIdentifier, SIGKILL) }
        try? await Task.sleep(for: .milliseconds(10))
    }
}
