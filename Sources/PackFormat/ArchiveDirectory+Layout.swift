extension ArchiveDirectory {
    /// Checks that the entries fill the archive without a gap, up to `end`, where the directory begins.
    ///
    /// Throws `badArchive` for bytes that belong to no entry or to two, and for a wrong data descriptor.
    func checkLayout(upTo end: Int64) throws(PackFormatError) {
        guard let first = entries.first, first.header.offset == 0 else {
            let start = entries.first?.header.offset ?? end
            throw source.bad(nil, "\(start) bytes precede its first entry")
        }
        for (index, entry) in entries.enumerated() {
            let next = index + 1 < entries.count ? entries[index + 1] : nil
            let limit = next?.header.offset ?? end
            let gap = limit - entry.bytes.upperBound
            guard gap >= 0 else {
                throw source.bad(
                    entry.name,
                    "its bytes end at \(entry.bytes.upperBound), and those of "
                        + "'\(NameText.visible(next?.name ?? ""))' begin at \(limit): entries overlap")
            }
            if entry.header.flags & ZipHeader.isStreamed != 0 {
                try checkDescriptor(of: entry, count: gap)
            } else if gap > 0 {
                throw source.bad(nil, "bytes \(entry.bytes.upperBound) to \(limit) belong to no entry")
            }
        }
    }

    /// Checks the data descriptor after an entry whose writer did not know its size in advance (APPNOTE 4.3.9).
    private func checkDescriptor(of entry: Entry, count: Int64) throws(PackFormatError) {
        let place = entry.bytes.upperBound
        // With or without a mark, and with sizes of four or eight bytes.
        guard [12, 16, 20, 24].contains(count) else {
            throw source.bad(
                entry.name, "a data descriptor should follow at byte \(place), but \(count) bytes follow")
        }
        let all = try source.bytes(at: place, count: Int(count))[...]
        let hasMark = count % 8 == 0
        let fields = hasMark ? all.dropFirst(4) : all
        let header = entry.header
        guard !hasMark || all.starts(with: Self.mark), fields.little(0, 4) == header.crc,
            Self.has(header.packedSize, header.size, in: fields.dropFirst(4))
        else {
            throw source.bad(
                entry.name,
                "the data descriptor after its bytes, at byte \(place), differs from the directory")
        }
        if header.method == 0 { try refuseHiddenDescriptor(in: entry) }
    }

    /// Throws for a stored entry whose bytes contain a data descriptor, where a streaming reader would end it early.
    ///
    /// A writer that knows the sizes in advance puts them into the header. Its entries need no search, so their bytes
    /// are not read twice.
    private func refuseHiddenDescriptor(in entry: Entry) throws(PackFormatError) {
        let (bytes, overlap) = (entry.bytes, Int64(24))
        for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: 1 << 16) {
            let count = min(1 << 16 + overlap, bytes.upperBound - start)
            var rest = try source.bytes(at: start, count: Int(count))[...]
            while let index = rest.firstIndex(of: Self.mark[0]) {
                rest = rest[index...]
                let size = start + Int64(index) - bytes.lowerBound
                let sizes = rest.dropFirst(8)
                if rest.starts(with: Self.mark),
                    [8, 16].contains(where: { sizes.count >= $0 && Self.has(size, size, in: sizes.prefix($0)) })
                {
                    throw source.bad(
                        entry.name,
                        "its bytes contain a data descriptor at byte \(start + Int64(index)), where a streaming "
                            + "reader would end the entry")
                }
                rest = rest.dropFirst()
            }
        }
    }

    private static let mark: [UInt8] = [0x50, 0x4B, 7, 8]

    /// Whether the last fields of a data descriptor are these sizes.
    private static func has(_ packed: Int64, _ size: Int64, in fields: ArraySlice<UInt8>) -> Bool {
        let width = fields.count / 2
        return fields.little(0, width) == UInt64(packed) && fields.little(width, width) == UInt64(size)
    }
}
