import FoundationEssentials
import SystemPackage

/// How to go on with a partial download: the note beside its bytes.
struct PartialNote: Codable, Hashable, Sendable {
    /// Version of this form.
    var version = 1
    /// The pack's identifier.
    var pack: String
    /// Which edition of it.
    var edition: PackEdition
    /// What If-Range may carry; nil where the host gave neither a strong ETag nor a date.
    var validator: String?
    /// Bytes of the whole; nil where the host did not say.
    var total: Int64?
}

/// The two files of a partial download.
struct PartialFile: Sendable {
    /// The bytes that have arrived.
    let data: FilePath
    private let note: FilePath

    init(folder: FilePath, name: String) {
        data = folder.appending("\(name).part")
        note = folder.appending("\(name).json")
    }

    /// Bytes that have arrived; a link in the file's place has none.
    var size: Int64 { FileSystem.status(of: data).map { $0.isRegular ? $0.size : 0 } ?? 0 }

    /// Reads the note; nil where there is none, or none that can be trusted.
    func readNote() -> PartialNote? {
        guard let bytes = FileSystem.contents(of: note, limit: 64 * 1024),
            let note = try? JSONDecoder().decode(PartialNote.self, from: Data(bytes)), note.version == 1,
            // What goes into a header field must not begin another.
            note.validator?.isFieldValue != false
        else { return nil }
        return note
    }

    /// Writes the note before the first byte, so that bytes without a note are never trusted.
    func write(_ content: PartialNote) throws(StoreError) {
        guard let bytes = try? JSONEncoder().encode(content) else {
            preconditionFailure("a note of texts and numbers can always be encoded")
        }
        try FileSystem.replaceContents(of: note, with: Array(bytes))
    }

    /// Removes both files.
    ///
    /// Files that do not exist are no error.
    func remove() throws(StoreError) {
        // The note last: the bytes alone would be worthless, a note alone is cleaned up.
        try FileSystem.remove(data)
        try FileSystem.remove(note)
    }

    /// Where to go on with this edition of a pack; nil where to begin at zero.
    ///
    /// Without a validator the host could put another file behind the first bytes unseen: then only a known digest of
    /// the whole, checked at the end, makes going on worthwhile.
    func resumePoint(for pack: String, _ edition: PackEdition) -> (offset: Int64, note: PartialNote)? {
        guard let note = readNote(), note.pack == pack, note.edition == edition else { return nil }
        guard note.validator != nil || edition.sha256 != nil else { return nil }
        let offset = size
        guard offset > 0, offset <= note.total ?? .max else { return nil }
        return (offset, note)
    }
}
