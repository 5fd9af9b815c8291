import CCrypto
import Foundation

/// SHA-256 of a file in lower-case hexadecimal digits.
func sha256(of path: String) throws -> String {
    guard let file = FileHandle(forReadingAtPath: path) else { throw Failure(.unwritable, "'\(path)' cannot be read.") }
    defer { try? file.close() }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
    while let block = try file.read(upToCount: 1 << 16), !block.isEmpty {
        _ = block.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
