/// `OnDemandResources.plist` and a pack's `Info.plist` from anywhere: read or refused, written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let table = try? TagTable(plist: bytes) {
        guard let written = try? table.plist(), let again = try? TagTable(plist: written) else {
            fatalError("a table that was read cannot be written and read again")
        }
        precondition(again.packsByTag.count == table.packsByTag.count, "tags were lost")
        _ = table.tagsByPack
    }
    if let info = try? PackInfo(plist: bytes) {
        guard let written = try? info.plist(), let again = try? PackInfo(plist: written) else {
            fatalError("a description that was read cannot be written and read again")
        }
        precondition(again.identifier == info.identifier && again.tags == info.tags, "a description changed")
    }
    return 0
}
