/// `AssetPackManifest.plist` from anywhere: read or refused, and what was read is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let manifest = try? AssetPackManifest(plist: bytes) else { return 0 }
    guard let written = try? manifest.plist(), let again = try? AssetPackManifest(plist: written) else {
        fatalError("what was read cannot be written and read again")
    }
    precondition(again.resources.count == manifest.resources.count, "packs were lost")
    return 0
}
