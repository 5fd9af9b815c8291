import Foundation
import Glibc
import ResourceLoading
import SystemPackage
import Testing

/// One line that a client wrote.
struct ClientLine: Sendable {
    let name: String
    let version: Int?
    let time: Int?
    /// The line as received.
    let line: String
    /// The names of its members besides `v`, `t`, `event` and `n`.
    let members: Set<String>
    private let numbers: [String: Int]
    private let texts: [String: String]

    init(_ bytes: Data) {
        line = String(decoding: bytes, as: UTF8.self)
        let object = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] ?? [:]
        numbers = object.compactMapValues { $0 as? Int }
        texts = object.compactMapValues { $0 as? String }
        name = texts["event"] ?? ""
        members = Set(object.keys).subtracting(["v", "t", "event", "n"])
        version = numbers["v"]
        time = numbers["t"]
    }

    func number(_ key: String) -> Int? { numbers[key] }
    func text(_ key: String) -> String? { texts[key] }
}

/// How a client ended.
struct ClientResult: Sendable {
    var status: Int32
    var bySignal: Bool
    var events: [ClientLine]
    var errors: String

    var names: [String] { events.map(\.name) }

    func first(_ name: String) -> ClientLine? { events.first { $0.name == name } }
}

/// The built `headwind-client`, run as a process.
///
/// Its pipes are read on Dispatch's threads: a blocking read must not occupy one of the few threads of the tests.
final class ClientProcess: @unchecked Sendable {
    // Unchecked, because Process is not Sendable: a test uses one at a time, and awaits each use.
    private let process = Process()
    private let events = Pipe()
    private let errors = Pipe()

    /// In the folder of the tests' own executable.
    static let executable = FileManager.default
        .destinationOfLink("/proc/self/exe")
        .deletingLastPathComponent().appendingPathComponent("headwind-client")

    /// Starts the client for a fixture's host and store, run by the command `wrapper` if there is one.
    init(
        _ configuration: LoaderConfiguration,
        _ arguments: [String],
        environment: [String: String] = [:],
        wrapper: [String] = []
    ) throws {
        let command =
            wrapper + [
                Self.executable.path, "--manifest", configuration.manifest, "--store", configuration.store.string,
            ] + arguments
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = environment.map { "\($0.key)=\($0.value)" } + command
        process.standardOutput = events
        process.standardError = errors
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Reads events until one has this name and this number; false if the events end first.
    ///
    /// With `pack`, the event must be about that pack.
    func reaches(_ name: String, _ key: String, _ number: Int, of pack: String? = nil) async -> Bool {
        await reaches { event in
            event.name == name && event.number(key) == number && (pack == nil || event.text("pack") == pack)
        }
    }

    /// Reads events until one has this name; false if the events end first.
    func reaches(_ name: String) async -> Bool { await reaches { $0.name == name } }

    private func reaches(_ fits: @escaping @Sendable (ClientLine) -> Bool) async -> Bool {
        await onThread { [self] in
            while let event = readEvent() {
                if fits(event) { return true }
            }
            return false
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    private var rest = Data()

    private func readEvent() -> ClientLine? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = Data(rest[..<end])
                rest = Data(rest[(end + 1)...])
                let told = ClientLine(line)
                #expect(
                    DocumentedEvent.all[told.name]?.fits(told.members) == true,
                    "docs/reference/events.md has no \(told.line)")
                return told
            }
            let more = events.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// The next event; nil after the last one.
    func next() async -> ClientLine? { await onThread { [self] in readEvent() } }

    /// Reads all events and errors, and waits for the exit.
    func finish() async -> ClientResult {
        await onThread { [self] in
            var all: [ClientLine] = []
            while let event = readEvent() { all.append(event) }
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let bySignal = process.terminationReason == .uncaughtSignal
            return ClientResult(status: process.terminationStatus, bySignal: bySignal, events: all, errors: text)
        }
    }
}

extension FileManager {
    fileprivate func destinationOfLink(_ path: String) -> URL {
        URL(fileURLWithPath: (try? destinationOfSymbolicLink(atPath: path)) ?? path)
    }
}
