import Documents
import FoundationEssentials
import LinuxSupport
import PackFormat
import PacketLink
package import SystemPackage
import Wording

extension BundleDraft {
    /// The name of the capture of an attempt's packets in a bundle.
    static let captureFile = "capture.pcapng"

    /// Writes the bundle, whole or not at all; replaces an existing bundle, and nothing else.
    ///
    /// Throws ``ResultFileError``.
    package func write(to place: FilePath) throws {
        try BundlePlace(place).write { work in
            var record = record
            record.command = Self.command(at: place)
            try Self.write(Array(record.jsonText().utf8), to: work.appending(BundleRecord.fileName))
            for (file, text) in texts { try Self.write(Array(text.utf8), to: work.appending(file)) }
            try packs?.write(to: work)
            if let capture { try CaptureFile(capture).copy(to: work.appending(Self.captureFile), .withoutPayload) }
        }
    }

    /// The command that replays the failure of a bundle.
    static func command(at place: FilePath) -> String {
        "headwind replay \(ShellWords.quoted(place.whole.string))"
    }

    /// Writes a file, and makes its folder.
    static func write(_ bytes: [UInt8], to file: FilePath) throws {
        try file.makeParent()
        try Data(bytes).write(to: URL(filePath: file.string))
    }
}
