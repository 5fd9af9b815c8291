package import PackFormat
package import SystemPackage

extension Advice {
    /// Advice on the files that packs are made of; throws `fileNotRead` for a file that cannot be read.
    static func files(of catalog: Catalog, _ plans: [PackPlan]) throws -> [Advice] {
        try plans.flatMap { plan in
            var code: [String: ExecutableCode] = [:]
            for path in plan.resources.map(\.path) { code[path] = try .init(file: catalog.root.appending(path)) }
            return files(plan.resources.map(\.path), code: code, pack: plan.identifier)
        }
    }
}

extension ExecutableCode {
    /// The kind of code in a file; nil if it is no code.
    ///
    /// Throws `fileNotRead`.
    package init?(file: FilePath) throws(PackFormatError) {
        var head = [UInt8](repeating: 0, count: Self.headBytes)
        let count: Int
        do {
            let descriptor = try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            count = try descriptor.closeAfter {
                try unsafe head.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
            }
        } catch {
            throw .fileNotRead(file, reason: error.systemReason)
        }
        self.init(startingWith: head.prefix(count))
    }
}
