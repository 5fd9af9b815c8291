import ArgumentParser
import ResourceLoading
import SystemPackage

/// What commands that fetch from a host trust, and send to it.
struct TransferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Additional certificate authorities to trust, in PEM.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("A header field for the host. May be repeated.", valueName: "name: value"))
    var header: [String] = []

    /// Throws `ValidationError` if a field is not a single line with a colon: a line break would begin another field.
    func check() throws {
        for field in header where !field.contains(":") || field.contains(where: \.isNewline) {
            throw ValidationError("--header is one line of the form 'Name: value'.")
        }
    }

    /// Applies the options to requests.
    func apply(to transfers: inout TransferConfiguration) {
        transfers.authorities = ca.map { FilePath($0) }
        transfers.headers = header
    }
}
