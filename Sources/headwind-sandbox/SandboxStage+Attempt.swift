import Netlink
import SandboxMessages
import SystemPackage

extension SandboxStage {
    /// What `body` returns; an error of the system becomes a failure at this stage.
    func attempt<Value: ~Copyable>(
        _ detail: String? = nil, _ body: () throws -> Value
    ) throws(SandboxReply.Failure) -> Value {
        do { return try body() } catch {
            throw .init(self, (error as? NetlinkError)?.code ?? error as? Errno ?? .ioError, detail: detail)
        }
    }
}
