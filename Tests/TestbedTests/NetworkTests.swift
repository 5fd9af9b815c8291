import Glibc
import SandboxMessages
import SystemPackage
import Testbed
import Testing

extension TestbedTests {
    @Suite struct NetworkTests {
        /// Clients find both ends by name, and both ends use a fixed congestion control over IPv4 and IPv6.
        ///
        /// The sender decides how a lossy link is used, so this machine's default must not.
        @Test(arguments: User.allCases, ["--link", "--router"])
        func carriesTrafficBetweenClientAndHost(user: User, way: String) async throws {
            let answer = try await script(
                """
                for host in 10.77.1.2 2001:db8:77:1::2; do
                    python3 -c 'import socket, sys
                s = socket.create_connection((sys.argv[1], 8080), 10)
                s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                print(s.makefile().read().split()[-1])
                print(s.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).strip(b"\\0").decode())' $host
                done
                url=http://packs.headwind.internal:8080/file
                for version in 4 6; do
                    curl -sS -$version $url
                    wget -q -$version -O - $url
                done
                # By itself a client takes what the order of RFC 6724 says; without the one it goes by the other.
                curl -sS $url; curl -sS 'http://[2001:db8:77:1::2]:8080/'
                cd /dev/shm/headwind && aria2c -q --disable-ipv6=true -o a $url && cat a
                getent ahosts packs.headwind.internal | cut -d ' ' -f 1 | sort -u
                ping -4 -c 1 -W 5 packs.headwind.internal | grep -o '1 received'
                ping -6 -c 1 -W 5 packs.headwind.internal | grep -o '1 received'
                """, in: [way, "--port", "8080"], as: user)
            #expect(Array(answer.lines.prefix(4)) == ["cubic", "cubic", "cubic", "cubic"])
            let clients = [
                "IPv4 cubic", "IPv4 cubic", "IPv6 cubic", "IPv6 cubic", "IPv6 cubic", "IPv6 cubic", "IPv4 cubic",
            ]
            #expect(Array(answer.lines.dropFirst(4).prefix(7)) == clients)
            #expect(answer.lines.dropFirst(11) == ["10.77.1.2", "2001:db8:77:1::2", "1 received", "1 received"])
        }

        /// No address is tentative, so a program can bind to one at once.
        @Test(arguments: ["client", "host"])
        func hasItsAddressesAtOnce(end: String) async throws {
            let answer = try await script(
                """
                ip -6 -o address show dev link0 | grep -o -E 'inet6 [^ ]+|tentative|dadfailed|nodad'
                python3 -c 'import socket
                for address in ("2001:db8:77::2", "2001:db8:77:1::2"):
                    try: socket.create_server((address, 0), family=socket.AF_INET6); print("bound", address)
                    except OSError as error: pass'
                """, in: ["--in", end])
            let address = end == "client" ? "2001:db8:77::2" : "2001:db8:77:1::2"
            #expect(answer.lines == ["inet6 \(address)/64", "nodad", "bound \(address)"])
        }

        /// The sandbox sends nothing itself, which would be noise on the link: no router solicitation, no multicast
        /// join.
        @Test func sendsNothingByItself() async throws {
            try await withSandbox { sandbox in
                let status = try await sandbox.spawn(shell("ping -c 1 -W 1 127.0.0.1 > /dev/null; ls / > /dev/null"))
                    .wait().status
                #expect(status == .exited(0))
                for tun in [sandbox.clientTUN, sandbox.hostTUN] {
                    var packet = [UInt8](repeating: 0, count: 2000)
                    #expect(throws: Errno.wouldBlock) { try packet.withUnsafeMutableBytes { try tun.read(into: $0) } }
                }
            }
        }

        /// A router sends nothing itself either; only packets of the ends are captured.
        @Test func aRouterSendsNothingByItself() async throws {
            var configuration = SandboxConfiguration()
            configuration.link = .router
            try await withSandbox(configuration) { sandbox in
                func count(_ tap: FileDescriptor) -> Int {
                    var packet = [UInt8](repeating: 0, count: 2000)
                    var count = 0
                    while let size = try? packet.withUnsafeMutableBytes({ try tap.read(into: $0) }), size > 0 {
                        count += 1
                    }
                    return count
                }
                let status = try await sandbox.spawn(shell("sleep 0.3")).wait().status
                #expect(status == .exited(0))
                #expect(count(sandbox.clientTap) == 0 && count(sandbox.hostTap) == 0)
                // An echo and its answer prove that packets are captured.
                let echo = try await sandbox.spawn(shell("ping -c 1 -W 5 10.77.1.2 > /dev/null")).wait().status
                #expect(echo == .exited(0))
                #expect(count(sandbox.clientTap) == 1 && count(sandbox.hostTap) == 1)
            }
        }

        @Test(arguments: ["client", "router", "host"])
        func aRouterAndItsEndsSendPacketsAsTheyAreOnTheWire(network: String) async throws {
            let answer = try await script(
                "ip -d -o link show type veth | grep -o -E '> mtu [0-9]+|gso_max_segs [0-9]+'; cat /proc/sys/net/ipv4/ip_forward",
                in: ["--router", "--mtu", "1400", "--in", network])
            let one = ["> mtu 1400", "gso_max_segs 1"]
            let lines = network == "router" ? answer.lines : Array(answer.lines.dropLast())
            #expect(lines == (network == "router" ? one + one + ["1"] : one), "\(answer.output)")
        }

        @Test(arguments: ["client", "host"])
        func appliesTheConfiguration(end: String) async throws {
            let routes = "ip -4 route; ip -6 route show default"
            let answer = try await script(
                routes
                    + "; ip -o link show link0; cd /proc/sys/net/ipv4; cat tcp_no_metrics_save ip_unprivileged_port_start tcp_rmem tcp_wmem",
                in: ["--mtu", "1400", "--congestion-control", "reno", "--in", end])
            #expect(answer.lines.count == 7)
            for route in answer.lines.prefix(2) {
                #expect(route.hasPrefix("default dev link0") && route.contains("initcwnd 10 congctl reno"))
            }
            try #require(answer.lines.count > 3)
            #expect(answer.lines[2].contains(" mtu 1400 qdisc pfifo ") && answer.lines[2].contains(" qlen 4096"))
            #expect(answer.lines[3...] == ["1", "0", "4096\t131072\t6291456", "4096\t16384\t4194304"])
        }

        @Test func hasNoIPv6WhereAPacketIsTooSmallForIt() async throws {
            let answer = try await script(
                "ip -6 route show default; getent ahosts packs.headwind.internal | cut -d ' ' -f 1 | sort -u",
                in: ["--mtu", "1000", "--link"])
            #expect(answer.output == "10.77.1.2\n")
            var configuration = SandboxConfiguration()
            configuration.mtu = 1000
            try await withSandbox(configuration) { sandbox in
                #expect(sandbox.notes.map(\.kind) == [.noIPv6])
                #expect(sandbox.notes[0].description.contains("MTU is 1000"))
            }
        }

        @Test(arguments: [
            (["--mtu", "67"], "MTU of 67 bytes"), (["--mtu", "65536"], "MTU of 65536 bytes"),
            (["--mtu", "-1"], "MTU of -1 bytes"),
            (["--congestion-control", "nonsense"], "does not offer the congestion control 'nonsense'"),
            (["--congestion-control", "much-too-long-for-a-name"], "1 to 15 bytes"),
            (["--storage", "0"], "storage of 0 bytes"), (["--scratch", "-4096"], "-4096 bytes"),
        ])
        func reportsAnInvalidValue(options: [String], words: String) async throws {
            let answer = try await script("true", in: options)
            #expect(answer.output.hasPrefix("failed: Could not set up a sandbox: ") && answer.output.contains(words))
        }

        @Test func givesSocketsInEachNetwork() async throws {
            try await withSandbox { sandbox in
                for namespace in SandboxNamespace.allCases {
                    for family in SandboxFamily.allCases {
                        let first = try await sandbox.listen(on: namespace, port: 8443, family: family)
                        // A port of one family belongs to neither the other family nor the rest of the machine.
                        #expect(first.port == 8443)
                        await #expect(throws: SandboxError.self) {
                            try await sandbox.listen(on: namespace, port: 8443, family: family)
                        }
                        try first.descriptor.close()
                        let udp = try await sandbox.socket(on: namespace, .udp, port: 0, family: family)
                        #expect(udp.port ?? 0 > 0)
                        #expect(fcntl(udp.descriptor.rawValue, F_GETFD) == FD_CLOEXEC)
                        #expect(fcntl(udp.descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
                        try udp.descriptor.close()
                    }
                }
                let error = await #expect(throws: SandboxError.self) {
                    _ = try await sandbox.listen(on: .host, port: 53)
                    _ = try await sandbox.listen(on: .host, port: 53)
                }
                #expect(error?.description.contains("listen on port 53 in the host's network") == true)
            }
        }
    }
}
