import FoundationEssentials
import Glibc
import LinuxSupport
package import Results

extension HostFacts {
    /// The machine that this process runs on, as read on first use.
    package static let ofThisMachine = reading()

    private static func reading() -> HostFacts {
        var name = utsname()
        guard uname(&name) == 0 else { preconditionFailure("uname(2) fails for a bad address alone") }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let memory = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let machine = MachineReading()
        var facts = HostFacts(
            kernel: text(name.release), architecture: text(name.machine), processors: processors)
        facts.system = systemName
        facts.processorModel = machine.processorModel
        facts.processorLimit = machine.processorLimit(of: processors)
        facts.memoryBytes = memory > 0 ? memory : nil
        // Without a limit, the number is larger than any machine's memory.
        facts.memoryLimitBytes = machine.memoryLimit.flatMap { $0 < memory ? $0 : nil }
        return facts
    }

    private static var systemName: String? {
        guard let text = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8) else { return nil }
        let key = "PRETTY_NAME="
        return text.split(separator: "\n").first { $0.hasPrefix(key) }.map {
            $0.dropFirst(key.count).filter { $0 != "\"" }
        }
    }
}
