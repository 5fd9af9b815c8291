import CCurl
import Foundation

/// Two clients in one program.
///
/// With `--manifest` the program takes the command line of headwind-client, otherwise `[--bug NAME] [--seed N] URL
/// OUTPUT`.
@main
struct BrokenClient {
    static func main() {
        headwind_global_init()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isDevice = arguments.contains("--manifest")
        do {
            let options = try Options(arguments, isDevice ? Options.deviceNames : Options.fetchNames)
            // Unfinished downloads end with the process.
            _exit(isDevice ? try DeviceMode(options).run() : try FetchMode(options).run())
        } catch let error as Options.Misuse {
            complain(error.text)
            _exit(64)
        } catch {
            complain("\(error)")
            _exit(70)
        }
    }

    static func complain(_ text: String) { FileHandle.standardError.write(Data("broken-client: \(text)\n".utf8)) }
}

/// A command line of options with one value each, and words.
struct Options {
    struct Misuse: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    static let fetchNames = ["bug", "seed", "patience", "proxy", "ca", "header", "headers", "events"]
    static let deviceNames = [
        "manifest", "tag-table", "store", "proxy", "ca", "header", "header-env", "limits", "limit", "capacity",
        "app-size",
        "radio", "allow-cellular", "patience", "parallel", "events-fd", "workload",
    ]

    private var values: [String: [String]] = [:]
    private(set) var words: [String] = []

    init(_ arguments: [String], _ names: [String]) throws {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let name = String(word.dropFirst(2))
            guard names.contains(name) else { throw Misuse("Unknown option '\(word)'.") }
            if name == "events" {
                values[name] = ["true"]
                continue
            }
            guard let value = rest.popFirst() else { throw Misuse("The option '\(word)' has no value.") }
            values[name, default: []].append(value)
        }
    }

    subscript(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    func number<Number: LosslessStringConvertible>(_ name: String, _ usual: Number) throws -> Number {
        guard let text = self[name] else { return usual }
        guard let number = Number(text) else { throw Misuse("--\(name) '\(text)' is not a number.") }
        return number
    }

    /// The bug of a name and a seed; throws for an unknown name.
    static func bugs(_ name: String?, _ seed: UInt64) throws -> Bugs {
        guard let name, !name.isEmpty else { return Bugs(nil, seed: seed) }
        guard let bug = Bug(rawValue: name) else { throw Misuse("There is no bug '\(name)'.") }
        return Bugs(bug, seed: seed)
    }
}
