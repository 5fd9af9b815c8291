import Documents
package import LinkModel
import LinuxSupport
package import SystemPackage

/// The contents of another tool's files, from which profiles are made.
package enum ProfileImport: Sendable {
    /// Recorded links in Mahimahi's format, with the bytes of their files.
    case traces(downlink: Trace, uplink: Trace?)
    /// A property list of the Network Link Conditioner, lines of tc, comcast or tcset, connections of WebPageTest, or
    /// JSON of Chrome DevTools or tcshow.
    case list(ImportedList)

    package struct Trace: Sendable {
        package let file: FilePath
        package let bytes: [UInt8]
        package let trace: DeliveryTrace
    }

    /// Reads `file`; for a Mahimahi trace, `uplink` is the file of the other direction.
    ///
    /// Throws all problems of the files.
    package init(_ file: FilePath, uplink: FilePath? = nil) throws(InvalidFiles) {
        let bytes = try Self.read(file)
        if Self.isPropertyList(bytes) {
            if let uplink {
                throw InvalidFiles("'\(file)' is a property list that holds both directions: leave out '\(uplink)'")
            }
            self = .list(try ConditionerFile.read(bytes, of: file))
        } else if uplink == nil, let list = try Self.list(bytes, of: file) {
            self = .list(list)
        } else {
            let downlink = try Self.trace(bytes, of: file)
            let other = try uplink.map { file throws(InvalidFiles) in try Self.trace(try Self.read(file), of: file) }
            self = .traces(downlink: downlink, uplink: other)
        }
    }

    /// The profile of the downlink's trace, and of the uplink's if there is one.
    package static func profile(downlink: Trace, uplink: Trace?, title: String) -> ImportedProfile {
        func name(_ trace: Trace) -> String { trace.file.lastComponent?.string ?? trace.file.string }
        var profile = Profile(name: ImportedProfile.name(for: title), title: title)
        profile.source =
            "Imported from '\(name(downlink))'"
            + (uplink.map { " and, for the uplink, '\(name($0))'" } ?? "") + ", in the trace format of Mahimahi."
        profile.downlinkTrace = downlink.trace
        profile.uplinkTrace = uplink?.trace
        let notes = uplink == nil ? ["the uplink is not shaped; give a second file for it"] : []
        return ImportedProfile(profile: profile, notes: notes)
    }

    /// Whether a file is a property list: it begins with `bplist`, or with a tag.
    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        let start = bytes.first { ![0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20].contains($0) }
        return bytes.starts(with: "bplist".utf8) || start == UInt8(ascii: "<")
    }

    /// The profiles of a text in one of the known forms; nil for lines of numbers, and for any other text.
    private static func list(_ bytes: [UInt8], of file: FilePath) throws(InvalidFiles) -> ImportedList? {
        guard bytes.count <= mostTextBytes else { return nil }
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        if text.first == "\u{FEFF}" { text.removeFirst() }
        guard let first = text.first(where: { !$0.isWhitespace }), !(first.isASCII && first.isNumber) else {
            return nil
        }
        if ConnectivityFile.isOne(text) { return try ConnectivityFile.read(text, of: file) }
        if first == "{" || first == "[" { return try JSONProfiles.read(String(text), of: file) }
        return ShapingScript.isOne(text) ? try ShapingScript.read(text, of: file) : nil
    }

    /// The limit on scripts and preferences, 4 MiB; traces may be larger.
    private static let mostTextBytes = 4 << 20

    private static func trace(_ bytes: [UInt8], of file: FilePath) throws(InvalidFiles) -> Trace {
        do throws(DeliveryTrace.Malformed) {
            let trace = try DeliveryTrace(mahimahi: String(decoding: bytes, as: UTF8.self))
            return Trace(file: file, bytes: bytes, trace: trace)
        } catch {
            let mark = Mark(line: max(1, error.line), column: 1)
            let hint =
                "a Mahimahi trace has one number of milliseconds per line; 'headwind help profile import' lists the formats"
            throw InvalidFiles(error.reason, file: file.string, at: mark, hint: hint)
        }
    }

    private static func read(_ file: FilePath) throws(InvalidFiles) -> [UInt8] {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(file, most: TraceReader.mostBytes)
        } catch {
            throw InvalidFiles("the file '\(file)' \(error)")
        }
        guard bytes.count <= TraceReader.mostBytes else {
            throw InvalidFiles("the file '\(file)' is larger than 256 MiB")
        }
        return bytes
    }
}
