/// The owner of one object of libcrypto, which is only read once it is made, so that threads may share it.
@safe struct CryptoObject: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes over what libcrypto made; it makes nothing only without memory or without entropy, and then nothing can go on.
    init(_ made: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        guard let made = unsafe made else { fatalError("libcrypto is out of memory or of entropy") }
        unsafe pointer = made
        unsafe self.free = free
    }

    deinit { unsafe free(pointer) }
}
