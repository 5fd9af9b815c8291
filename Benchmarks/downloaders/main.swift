// get URL OUTPUT downloads a file with URLSession.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Refused: Error { let status: Int }

do {
    guard let url = URL(string: CommandLine.arguments[1]) else { throw URLError(.badURL) }
    let (place, response) = try await URLSession.shared.download(from: url)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Refused(status: status) }
    let output = URL(fileURLWithPath: CommandLine.arguments[2])
    try? FileManager.default.removeItem(at: output)
    try FileManager.default.moveItem(at: place, to: output)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
