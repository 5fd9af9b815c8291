import SystemPackage

/// The note that is stored with a partial download, and says how to resume it.
struct PartialNote: Codable, Hashable, Sendable {
    /// The version of this file format.
    var version = 1
    /// The pack's identifier.
    var pack: String
    /// The edition of the pack.
    var edition: PackEdition
    /// The value for If-Range; nil if the host gave neither a strong ETag nor a date.
    var validator: String?
    /// Bytes of the whole file; nil if the host did not say.
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

    /// Bytes that have arrived; 0 for a link instead of the file.
    var size: Int64 { FileSystem.status(of: data).map { $0.type == .regular ? $0.size : 0 } ?? 0 }

    /// Reads the note; nil if there is none, or if it cannot be trusted.
    func readNote() -> PartialNote? {
        guard let note: PartialNote = FileSystem.note(at: note, limit: 64 * 1024), note.version == 1,
            // A value for a header field must not begin another field.
            note.validator?.isFieldValue != false
        else { return nil }
        return note
    }

    /// Writes the note before the first byte, so that bytes without a note are never trusted.
    func write(_ content: PartialNote) throws(StoreError) {
        try FileSystem.replaceContents(of: note, with: FileSystem.json(content))
    }

    /// Removes both files.
    ///
    /// It is no error if they do not exist.
    func remove() throws(StoreError) {
        // The note goes last: bytes without a note would be worthless, but a note without bytes is cleaned up.
        try FileSystem.remove(data)
        try FileSystem.remove(note)
    }

    /// Where to resume this edition of a pack; nil if it must begin at zero.
    ///
    /// Without a validator the host could replace the file unnoticed. Then resuming is worthwhile only if the digest of
    /// the whole file is known, because that is checked at the end.
    func resumePoint(for pack: String, _ edition: PackEdition) -> (offset: Int64, note: PartialNote)? {
        guard let note = readNote(), note.pack == pack, note.edition == edition else { return nil }
        guard note.validator != nil || edition.sha256 != nil else { return nil }
        let offset = size
        guard offset > 0, offset <= note.total ?? .max else { return nil }
        return (offset, note)
    }
}
