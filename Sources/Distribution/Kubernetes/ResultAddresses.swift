import Glibc
import LinuxSupport
import SystemPackage
import Wording

/// Signed addresses in an object store: where the pod of a shard uploads its result, and where it is downloaded.
///
/// Anyone who has an address can use it. So no plan, stored manifest, error or report contains one.
struct ResultAddresses: Hashable, Sendable {
    struct Pair: Hashable, Sendable {
        var put: String
        var get: String
    }

    /// By shard number, from 1.
    let pairs: [Int: Pair]

    private static let mostBytes = 64 << 20
    private static let form = "write a shard's number, its upload address and its download address"

    /// Reads a file with one line for each shard, such as `3 https://… https://…`.
    init(_ file: FilePath, option: String) throws {
        let bytes: [UInt8]
        do { bytes = try BoundedFile.read(file, most: Self.mostBytes) } catch {
            throw EngineError.option(option, reason: "the file \(error).")
        }
        guard bytes.count <= Self.mostBytes else {
            throw EngineError.option(option, reason: "the file is larger than \(Self.mostBytes >> 20) MiB.")
        }
        var pairs: [Int: Pair] = [:]
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.trimmed.isEmpty && !line.hasPrefix("#") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 3, let shard = Int(words[0]), shard > 0, words[1...].allSatisfy(Self.isPlain),
                pairs.updateValue(Pair(put: words[1], get: words[2]), forKey: shard) == nil
            else {
                // The line itself is secret.
                throw EngineError.option(option, reason: "line \(number + 1) of the file is wrong: \(Self.form).")
            }
        }
        self.pairs = pairs
    }

    /// Whether a configuration file of curl can have it in quotation marks.
    private static func isPlain(_ address: String) -> Bool {
        (address.hasPrefix("https://") || address.hasPrefix("http://"))
            && address.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
    }

    /// The configuration file for curl, which keeps the address out of the list of processes.
    static func configuration(_ address: String) -> String { "url = \"\(address)\"\n" }
}
