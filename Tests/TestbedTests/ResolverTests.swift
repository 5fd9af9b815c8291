import Testing

extension TestbedTests {
    /// The running resolver, which is asked over the link by UDP and TCP.
    @Suite struct ResolverTests {
        @Test(arguments: User.allCases)
        func resolvesTheSandboxesNames(user: User) async throws {
            let answer = try await script(
                """
                getent ahostsv4 packs.headwind.internal | cut -d ' ' -f 1 | sort -u
                getent ahostsv6 packs.headwind.internal | cut -d ' ' -f 1 | sort -u
                getent hosts nobody.example || echo "no name: $?"
                getent hosts "$(hostname)" > /dev/null && echo this machine
                """, in: ["--link"], as: user)
            #expect(answer.lines == ["10.77.1.2", "2001:db8:77:1::2", "no name: 2", "this machine"])
        }

        /// Names are resolved only behind the link, so without a link there is no answer.
        @Test func asksOnlyBehindTheLink() async throws {
            let answer = try await script(
                "RES_OPTIONS='timeout:1 attempts:1' getent hosts packs.headwind.internal || echo none")
            #expect(answer.output == "none\n")
        }

        @Test(arguments: ["10.77.1.2", "2001:db8:77:1::2"])
        func answersByUDPAndTCP(address: String) async throws {
            let answer = try await python(
                """
                question = header + name + b"\\0\\0\\1\\0\\1"
                udp = socket.socket(family, socket.SOCK_DGRAM); udp.settimeout(10)
                udp.sendto(question, server)
                print(udp.recv(600)[-4:] == b"\\x0a\\x4d\\1\\2")
                tcp = socket.create_connection(server, 10)
                # Two at once, and one in pieces.
                tcp.sendall(framed(question) * 2)
                print(answer(tcp)[-4:] == answer(tcp)[-4:] == b"\\x0a\\x4d\\1\\2")
                for byte in framed(question): tcp.sendall(bytes([byte]))
                print(answer(tcp)[-4:] == b"\\x0a\\x4d\\1\\2")
                """, address: address)
            #expect(answer.lines == ["True", "True", "True"])
        }

        /// Clients that send garbage, stay silent, or open more connections than the resolver accepts do not block
        /// others.
        @Test func servesOthersDespiteHostileClients() async throws {
            let answer = try await python(
                """
                import random
                random.seed(7)
                question = header + name + b"\\0\\0\\1\\0\\1"
                udp = socket.socket(family, socket.SOCK_DGRAM); udp.settimeout(10)
                for size in list(range(0, 64)) + [511, 1024, 1400, 9000, 60000]:
                    udp.sendto(random.randbytes(size), server)
                long = socket.create_connection(server, 10)
                long.sendall(b"\\xff\\xff" + b"x" * 2000)
                print("closed" if closed(long) else "open")
                silent = [socket.create_connection(server, 10) for _ in range(100)]
                half = socket.create_connection(server, 10); half.sendall(b"\\0")
                tcp = socket.create_connection(server, 10)
                tcp.sendall(framed(question))
                print(answer(tcp)[-4:] == b"\\x0a\\x4d\\1\\2")
                print("closed" if closed(silent[0]) else "open")
                udp.sendto(question, server)
                while (reply := udp.recv(600))[3] & 15 != 0: pass
                print(reply[-4:] == b"\\x0a\\x4d\\1\\2")
                """, address: "10.77.1.2")
            #expect(answer.lines == ["closed", "True", "closed", "True"])
        }

        private func python(_ text: String, address: String) async throws -> Answer {
            let preparation = """
                import socket
                address = "\(address)"
                server = (address, 53)
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                header = b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0"
                name = b"\\5packs\\x08headwind\\x08internal"
                def framed(message): return len(message).to_bytes(2, "big") + message
                def exactly(tcp, count):
                    data = b""
                    while len(data) < count: data += tcp.recv(count - len(data)) or exit("closed early")
                    return data
                def answer(tcp): return exactly(tcp, int.from_bytes(exactly(tcp, 2), "big"))
                def closed(tcp):
                    try: return tcp.recv(1) == b""
                    except ConnectionResetError: return True

                """
            return try await trial(["run", "--link", "--", "python3", "-c", preparation + text])
        }
    }
}
