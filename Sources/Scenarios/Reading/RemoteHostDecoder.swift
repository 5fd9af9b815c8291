import Documents
import LinuxSupport
import PackFormat
import SystemPackage

/// Reads `host`: a URL, or a mapping that adds header fields and more.
struct RemoteHostDecoder {
    let context: ScenarioContext

    private static let defaultManifest = "AssetPackManifest.plist"
    private static let mostHeaderBytes = 64 << 10

    var decoder: FieldDecoder<RemoteHost> {
        .either(
            Self.url.map { RemoteHost(manifest: Self.manifest($0), tagTable: nil, headers: [], tokenVariable: nil) },
            .mapping("a host") { fields in
                let url = fields.required("url", Self.url)
                let manifest = fields.value("manifest", .text)
                let tagTable = fields.value("tag-table", Self.url)
                let headers = fields.value("headers", Self.headers) ?? []
                let token = fields.value("token-env", Self.variable)
                let more = fields.value("headers-file", headersFile) ?? []
                guard let url else { return nil }
                if manifest != nil, !url.hasSuffix("/") {
                    fields.refuse("manifest", "the URL already names the manifest", hint: "end the URL with '/'")
                }
                let address = manifest.map { url + $0 } ?? Self.manifest(url)
                return RemoteHost(manifest: address, tagTable: tagTable, headers: headers + more, tokenVariable: token)
            }
        )
    }

    fileprivate static func manifest(_ url: String) -> String { url.hasSuffix("/") ? url + defaultManifest : url }

    fileprivate static var url: FieldDecoder<String> {
        let expected = "a URL such as https://staging.example/packs/"
        return .scalar(expected, pattern: "^https?://[!-~]+$") { text in
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["http", "https"].contains(parts[0]) else {
                return .wrong(text, not: expected, hint: "begin it with http:// or https://")
            }
            guard parts[1].prefix(while: { $0 != "/" && $0 != "?" }).isEmpty == false else {
                return .wrong(text, not: expected, hint: "it names no host")
            }
            guard HTTPAddress(text) != nil else {
                return .wrong(text, not: expected, hint: "name a host, and a port from 1 to 65535 if any")
            }
            guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return .wrong(text, not: expected, hint: "percent-encode spaces and non-ASCII letters, such as %20")
            }
            return .value(text)
        }
    }

    private static var variable: FieldDecoder<String> {
        .matching(
            "^[A-Za-z_][A-Za-z0-9_]*$", "the name of an environment variable",
            hint: "write its name, not the token itself")
    }

    private static var headers: FieldDecoder<[RemoteHost.Header]> {
        .mapping("the headers") { fields in
            fields.everyEntry(schema: FieldDecoder<String>.text.schema()).compactMap { entry in
                guard let value = FieldDecoder<String>.text.value(of: entry.value, fields.problems) else { return nil }
                guard let header = RemoteHost.Header(checking: entry.key, value) else {
                    fields.problems.add("'\(entry.key.abbreviated)' is not a header field", at: entry.keyMark)
                    return nil
                }
                return header
            }
        }
    }

    /// A file with one `Name: value` a line, up to 64 KiB.
    private var headersFile: FieldDecoder<[RemoteHost.Header]> {
        context.path("a file of headers", isFolder: false).then(schema: FieldDecoder<String>.text.schema) {
            path, node, problems in
            do {
                let bytes = try BoundedFile.read(path, most: Self.mostHeaderBytes)
                FilesRead.current?.note(path)
                return Self.headers(in: bytes, path, node.mark, problems)
            } catch {
                return problems.refuse("the file '\(path)' \(error)", at: node.mark)
            }
        }
    }

    private static func headers(
        in bytes: [UInt8], _ path: FilePath, _ mark: Mark, _ problems: Problems
    ) -> [RemoteHost.Header]? {
        guard bytes.count <= mostHeaderBytes, let text = String(validating: bytes, as: UTF8.self) else {
            return problems.refuse("the file '\(path)' is not UTF-8 text of up to 64 KiB", at: mark)
        }
        return text.split(whereSeparator: \.isNewline).enumerated().compactMap { index, line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1].drop { $0 == " " || $0 == "\t" }) : ""
            if let header = RemoteHost.Header(checking: String(parts[0]), value) { return header }
            // The error does not show the line, which may be a secret.
            problems.take([
                Diagnostic(
                    file: path.string, mark: Mark(line: index + 1, column: 1), message: "this is not a header field",
                    hint: "write 'Name: value'")
            ])
            return nil
        }
    }
}

extension RemoteHost.Header {
    /// A header field; nil if name or value is not valid by RFC 9110 §5.
    fileprivate init?(checking name: String, _ value: String) {
        let isName = name.utf8.allSatisfy {
            UInt8.asciiAlphanumerics.contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
        guard isName, !name.isEmpty, value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.init(name: name, value: value)
    }
}

extension UInt8 {
    /// The letters and digits of ASCII.
    package static let asciiAlphanumerics = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
}

extension RemoteHost {
    /// The URL of the manifest, from a URL as in a scenario's `host`; nil for a text that is not such a URL.
    package static func manifest(at url: String) -> String? {
        RemoteHostDecoder.url.value(of: .made(url), Problems(file: "")).map(RemoteHostDecoder.manifest)
    }
}
