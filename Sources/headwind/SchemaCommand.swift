import ArgumentParser
import ProxyAPI
import Results
import Scenarios
import Wording

/// `headwind schema`: prints the JSON Schema of a file, or the control API in OpenAPI, for editors and checkers.
struct SchemaCommand: ParsableCommand {
    /// The files and APIs that have a schema.
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case scenario
        case result
        case control
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of scenarios or of results, or the control API in OpenAPI.",
        discussion: """
            The schemas (draft 2020-12) come from the declarations that Headwind reads files with; docs/schema has \
            copies. Only 'headwind scenario check' checks which keys of a scenario can be combined.

            Editors with yaml-language-server complete and check a scenario whose first line names the schema:

              # yaml-language-server: $schema=scenario.schema.json

            Examples:

              headwind schema scenario > scenario.schema.json
              headwind schema result > result.schema.json
              headwind schema control > control.openapi.json
            """)

    @Argument(help: "The schema: scenario, result or control.")
    var subject: Subject

    func run() throws {
        switch subject {
        case .scenario:
            Console.out(TerminalText(json: try ScenarioLoader(profiles: ProfileCommand.library()).schema.json))
        case .result: Console.out(TerminalText(json: try RunResult.schema().json))
        case .control: Console.out(TerminalText(json: ControlAPI.openAPI.json))
        }
    }
}
