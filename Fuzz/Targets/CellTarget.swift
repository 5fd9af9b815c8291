@testable import SandboxMessages

/// Reads lines of the cell's protocol, from either side: a line survives a write and a read, or is refused.
func fuzzCell(_ bytes: [UInt8]) throws {
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(16) {
        if let request = try? SandboxLine.decode(SandboxRequest.self, from: line) {
            let again = try require("a request cannot be read again") {
                try SandboxLine.decode(SandboxRequest.self, from: SandboxLine.encode(request).dropLast())
            }
            try demand(again == request, "a request changed when it was written and read")
        }
        let read = Result { () throws(SandboxLineError) in try SandboxLine.decode(SandboxReply.self, from: line) }
        switch read {
        case .failure(let error): try demand(!error.description.contains("\n"), "a refusal has a line's end")
        case .success(let reply):
            let written = SandboxLine.encode(reply)
            try demand(written.count { $0 == UInt8(ascii: "\n") } == 1, "a line has two ends")
            let again = try require("a reply cannot be read again") {
                try SandboxLine.decode(SandboxReply.self, from: written.dropLast())
            }
            try demand(again == reply, "a reply changed when it was written and read")
            for note in reply.ready?.notes ?? [] { _ = note.description }
        }
    }
}
