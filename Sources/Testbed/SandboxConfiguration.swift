import LinuxSupport
package import SandboxMessages
package import SystemPackage

/// The configuration of a sandbox.
///
/// The settings that the sandbox is told, those of `SandboxRequest.Configure`, are also properties of this.
@dynamicMemberLookup
package struct SandboxConfiguration: Sendable {
    /// The programs that a sandbox consists of.
    package struct Programs: Sendable {
        package var initializer: FilePath
        package var sandbox: FilePath

        package init(initializer: FilePath, sandbox: FilePath) {
            self.initializer = initializer
            self.sandbox = sandbox
        }
    }

    /// The settings that the sandbox is told.
    var request = SandboxRequest.Configure()
    /// The programs; `nil` (the default) uses those installed with the running program.
    package var programs: Programs?
    /// How long a sandbox may take to start; the default is 10 s.
    package var deadline: Duration = .seconds(10)
    /// How long a sandbox may take to answer, and to report that a program has ended; the default is 30 s.
    ///
    /// A program in it can stop headwind-sandbox; this process must not hang then.
    package var patience: Duration = .seconds(30)

    package init() {}

    /// One of the settings that the sandbox is told.
    package subscript<Value>(dynamicMember setting: WritableKeyPath<SandboxRequest.Configure, Value>) -> Value {
        get { request[keyPath: setting] }
        set { request[keyPath: setting] = newValue }
    }
}

extension SandboxRequest.Configure {
    /// Throws `SandboxError.configuration` if a value is not possible, before anything is made.
    func check() throws(SandboxError) {
        let resolved = outside?.resolved ?? [:]
        let problem: String? =
            switch true {
            case !(68...65535).contains(mtu): "an MTU of \(mtu) bytes is not possible: use 68 to 65535"
            case !(1...1_000_000).contains(queueLength):
                "a TUN queue of \(queueLength) packets is not possible: use 1 to 1000000"
            case !(1...1_000_000).contains(initialWindow):
                "an initial window of \(initialWindow) segments is not possible: use 1 to 1000000"
            case congestionControl.isEmpty || congestionControl.utf8.count > 15 || congestionControl.utf8.contains(0):
                "there is no congestion control '\(congestionControl)': its name has 1 to 15 bytes"
            case !Self.areBuffers(receiveBuffers): "receive buffers must be positive, and each at least the one before"
            case !Self.areBuffers(sendBuffers): "send buffers must be positive, and each at least the one before"
            case !(scratchSize ?? 1 > 0): "a scratch directory of \(scratchSize ?? 0) bytes is not possible"
            case !(storageSize ?? 1 > 0): "a device storage of \(storageSize ?? 0) bytes is not possible"
            default:
                (names + resolved.keys.sorted()).first { !Self.isName($0) }.map { "'\($0)' is not a DNS name" }
                    ?? resolved.first { !Self.isWord($0.key + $0.value) }.map {
                        "'\($0.key)' is not allowed in hosts(5)"
                    }
            }
        if let problem { throw .configuration(problem) }
    }

    private static func areBuffers(_ sizes: [Int]) -> Bool {
        sizes.count == 3 && sizes[0] > 0 && sizes == sizes.sorted() && sizes[2] <= Int(Int32.max)
    }

    /// Whether the text can be one word of a line of hosts(5).
    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// Whether the text is a name by RFC 1035: labels of 1 to 63 bytes, at most 253 with their dots.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 253
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                (1...63).contains($0.count)
            }
    }
}

extension SandboxConfiguration.Programs {
    /// The programs in the folder of the programs that the running program starts.
    static func besideThisProgram() throws(SandboxError) -> Self {
        do {
            let directory = try RunningProgram.companions
            return Self(
                initializer: directory.appending("headwind-init"), sandbox: directory.appending("headwind-sandbox"))
        } catch {
            throw .noProgram(path: RunningProgram.link, error)
        }
    }
}

/// The addresses of the two ends of the link, the same in every sandbox, except for IPv6 in an open one.
package enum SandboxAddresses {
    package static let clientIPv4 = "10.77.0.2"
    package static let hostIPv4 = "10.77.1.2"
    package static let hostIPv6 = "2001:db8:77:1::2"

    /// The name and addresses of this machine's loopback and resolver in an open sandbox.
    package static let outside = SandboxOutside()
}
