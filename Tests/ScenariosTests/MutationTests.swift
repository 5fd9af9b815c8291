import Foundation
import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Each key of each scenario and profile, left out, misspelt or of another type, is reported at its place.
@Suite(.sideBySide, .timeLimit(.minutes(8))) struct MutationTests {
    /// A file that is read as a scenario or as a profile.
    struct Subject: Sendable, CustomTestStringConvertible {
        let name: String
        let folder: FilePath
        let text: String
        let isProfile: Bool

        var testDescription: String { name }

        /// The problems of a tree, written out by ``Emission``.
        func diagnostics(_ root: YAMLNode) -> [Diagnostic] {
            diagnostics(bytes: Array(Emission(root).text.utf8))
        }

        /// The problems of a text; if there are none, it has been read into a value.
        func diagnostics(bytes: [UInt8]) -> [Diagnostic] {
            let problems = Problems(file: "test.yaml")
            let loader = ProfileLoader(library: Repository.profiles)
            let root = YAMLReader.read(bytes, problems)
            do throws(InvalidFiles) {
                if isProfile {
                    let form = ProfileDecoder(folder: folder, problems: problems) {
                        loader.draft($0, from: folder, at: $1, problems)
                    }
                    let draft = root.flatMap(form.file)
                    try problems.check()
                    #expect(draft != nil)
                } else {
                    let source = ScenarioLoader.Source(file: folder.appending("test.yaml"), name: "test")
                    _ = try ScenarioLoader.scenario(root, source, loader, problems)
                }
                return []
            } catch {
                return error.diagnostics
            }
        }
    }

    /// Mappings whose keys the user names: a misspelt key is just another name.
    private static let freeNames = ["headers", "files"]

    static let subjects =
        bundled + [
            Examples.scenario, Examples.command, Examples.packCommand, Examples.profile,
        ]

    private static let bundled: [Subject] =
        Repository.variedScenarios.compactMap { subject($0, isProfile: false) }
        + Repository.profiles.names.compactMap {
            subject(Repository.profiles.folder.appending("\($0).yaml"), isProfile: true)
        }

    private static func subject(_ file: FilePath, isProfile: Bool) -> Subject? {
        guard let text = try? Repository.text(file) else { return nil }
        let folder = file.removingLastComponent()
        return Subject(name: file.lastComponent?.string ?? "", folder: folder, text: text, isProfile: isProfile)
    }

    private func root(_ subject: Subject) throws -> YAMLNode {
        let problems = Problems(file: subject.name)
        let root = try #require(YAMLReader.read(Array(subject.text.utf8), problems))
        #expect(problems.found.isEmpty)
        return root
    }

    @Test(arguments: subjects) func emittedTreeIsTheSame(_ subject: Subject) throws {
        #expect(subject.diagnostics(try root(subject)) == [])
    }

    @Test(arguments: subjects) func aMissingKeyHasADefaultOrIsReported(_ subject: Subject) throws {
        let root = try root(subject)
        for path in Emission(root).paths {
            var removed = ""
            let edited = root.editing(path.parts[...]) { entry in
                removed = entry.value.flowText
                return nil
            }
            let found = subject.diagnostics(edited)
            // A missing key is reported by its name, or by the value that others refer to.
            let isTold = found.contains { diagnostic in
                let text = "\(diagnostic.message) \(diagnostic.hint ?? "")"
                return text.contains(path.key) || text.contains("'\(removed)'")
                    || Self.consequences.contains(where: text.contains)
            }
            #expect(found.isEmpty || isTold, "\(path): \(found)")
        }
    }

    /// Messages about what follows from a missing key.
    private static let consequences = [
        "has no room for one packet", "need HTTP/2", "needs a host with TLS", "exceeds its delay", "never happens",
        "empty",
        "this cell overrides nothing",
        "attempts", "there is no key", "there are no changes to repeat", "only the built-in host",
        "needs one of the keys", "has no answer for it",
    ]

    @Test(arguments: subjects) func aMisspeltKeyIsReportedWithTheRightOne(_ subject: Subject) throws {
        let root = try root(subject)
        for path in Emission(root).paths where !Self.freeNames.contains(path.above.first ?? "") {
            let wrong = Self.misspelt(path.key)
            let edited = root.editing(path.parts[...]) { .init(key: wrong, keyMark: $0.keyMark, value: $0.value) }
            let place = Emission(edited).lines[.init(parts: path.parts.dropLast() + [wrong])]
            let found = subject.diagnostics(edited).filter { $0.line == place && $0.column == Emission.column(path) }
            let names = [path.key, path.key.split(separator: ".").last.map(String.init) ?? path.key]
            #expect(
                found.contains { diagnostic in names.contains { diagnostic.hint == "did you mean '\($0)'?" } },
                "\(path): \(subject.diagnostics(edited))")
        }
    }

    @Test(arguments: subjects) func aValueOfAnotherTypeIsReportedAtItsLine(_ subject: Subject) throws {
        let root = try root(subject)
        for path in Emission(root).paths {
            for wrong in Self.otherTypes(path.key) {
                let edited = root.editing(path.parts[...]) { entry in
                    guard let value = wrong(entry.value) else { return entry }
                    return .init(key: entry.key, keyMark: entry.keyMark, value: value)
                }
                guard edited != root else { continue }
                let first = try #require(Emission(edited).lines[path])
                let found = subject.diagnostics(edited)
                // List items begin on the lines after their key.
                #expect(found.contains { (first...first + 2).contains($0.line) }, "\(path): \(found)")
            }
        }
    }

    /// Wrong values: a list in a list, which no key takes, and a text for all but two keys that take no text.
    private static func otherTypes(_ key: String) -> [(YAMLNode) -> YAMLNode?] {
        func node(_ content: YAMLNode.Content) -> YAMLNode { YAMLNode(mark: .start, content: content) }
        let text = node(.text("zzz zzz", inset: nil))
        return [
            { _ in node(.list([node(.list([text]))])) },
            { value in
                if case .text = value.content { return nil }
                return ["command", "redirect"].contains(key) ? nil : text
            },
        ]
    }

    /// The key with its last two letters swapped, or with an added `x` if it is short or they are equal.
    private static func misspelt(_ key: String) -> String {
        var letters = Array(key)
        guard letters.count > 3, letters[letters.count - 1] != letters[letters.count - 2],
            !letters.suffix(2).contains(".")
        else {
            return key + "x"
        }
        letters.swapAt(letters.count - 1, letters.count - 2)
        return String(letters)
    }
}
