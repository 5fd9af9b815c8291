package import PackFormat
package import SystemPackage

/// Code for a processor: on-demand resources must not contain it, except scripts (On-Demand Resources Guide, Table
/// 1-1).
package enum ExecutableCode: String, Hashable, Sendable, Codable {
    /// Programs and libraries of Linux and other systems (System V ABI, chapter 4).
    case elf = "ELF"
    /// Programs and libraries of Apple's systems (mach-o/loader.h).
    case machO = "Mach-O"
    /// Several Mach-O files in one (mach-o/fat.h).
    case universalMachO = "universal Mach-O"

    /// The number of bytes at a file's start that are needed to recognise code.
    package static let headBytes = 8

    /// Plausible numbers of architectures in a fat header.
    ///
    /// With a larger number, it is a class file of Java, which has the same magic number.
    private static let architectures: ClosedRange<UInt32> = 1...42

    /// The kind of code in a file that begins with these bytes; nil if it is no code, and for fewer than eight bytes.
    package init?(startingWith head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headBytes))
        guard head.count == Self.headBytes else { return nil }
        let words = [head[..<4], head[4...]].map { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        switch words[0] {
        case 0x7F45_4C46: self = .elf
        case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE: self = .machO
        case 0xCAFE_BABE, 0xCAFE_BABF:
            guard Self.architectures.contains(words[1]) else { return nil }
            self = .universalMachO
        case 0xBEBA_FECA, 0xBFBA_FECA:
            guard Self.architectures.contains(words[1].byteSwapped) else { return nil }
            self = .universalMachO
        default: return nil
        }
    }

    /// The kind of code in a file; nil if it is no code.
    ///
    /// Throws `fileNotRead`.
    package init?(file: FilePath) throws(PackFormatError) {
        var head = [UInt8](repeating: 0, count: Self.headBytes)
        let count = try PackFormatError.reading(file) {
            let descriptor = try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            return try descriptor.closeAfter {
                try unsafe head.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
            }
        }
        self.init(startingWith: head.prefix(count))
    }
}
