import PackFormat

/// The types of files that are on-demand resources: Table 1-1 of the On-Demand Resources Guide.
///
/// The table has data files of any sort, images, OpenGL shaders, particles, scenes and texture atlases of SpriteKit,
/// and image stacks. Anything that an app reads by itself is data. Types that the system or Xcode treats in another way
/// are not in the table.
package enum ResourceType {
    /// The source of the table.
    package static let source = "On-Demand Resources Guide, Table 1-1"

    private static let outside: [String: String] = [
        "a": "compiled code", "app": "a program", "appex": "an app extension", "bundle": "a bundle with code",
        "c": "source code", "cc": "source code", "cpp": "source code", "dylib": "compiled code",
        "framework": "a framework", "h": "source code", "intentdefinition": "a definition for Xcode",
        "m": "source code", "metal": "source code", "mlmodel": "a model that Xcode compiles", "mm": "source code",
        "mom": "a Core Data model", "momd": "a Core Data model", "nib": "an interface file", "o": "compiled code",
        "so": "compiled code", "storyboard": "an interface file", "storyboardc": "an interface file",
        "swift": "source code", "swiftmodule": "compiled code", "tbd": "compiled code",
        "xcdatamodel": "a Core Data model", "xcdatamodeld": "a Core Data model", "xcframework": "a framework",
        "xctest": "a bundle with code", "xib": "an interface file",
    ]

    /// The type of a file, or of a folder on its path, that is not in the table; nil if there is none.
    package static func outsideTable(_ path: String) -> (name: String, kind: String)? {
        for part in PackPath.parts(path) {
            guard let dot = part.utf8.lastIndex(of: UInt8(ascii: ".")), dot != part.startIndex else { continue }
            let type = part[part.index(after: dot)...].lowercased()
            if let kind = outside[type] { return (type, kind) }
        }
        return nil
    }
}
