import Documents
import FoundationEssentials
import LinuxSupport
import SystemPackage

/// The objects that run a submission: an Indexed Job, and a ConfigMap with the files that scenarios name.
///
/// They are in JSON, which kubectl accepts like YAML.
struct KubernetesManifest: Sendable {
    /// A file that the shards read, with its absolute path on this machine.
    struct File: Hashable, Sendable {
        var path: String
        var text: String
    }

    var plan: ShardPlan
    var submission: Submission
    var options: KubernetesOptions
    var files: [File]
    /// The list of durations; nil if the shards need none.
    var durations: File?
    /// The folder of the packs that were built here, if the volume also has it.
    var packs: String?

    /// The most pods of a shard, if they end without a result or are lost.
    static let mostTries = 3
    /// Statuses that are final besides 0, in order: a result, or an error that another pod would repeat.
    static let finalStatuses: [Int32] = [1, 64, 65, 69, Self.otherStatus, 98, 99]
    /// The status of a pod that has handed over a result with any other status, such as 75.
    static let otherStatus: Int32 = 76
    private static let jobLabel = "headwind-run"

    /// The name of the job.
    var name: String { Self.name(plan, submission) }
    static func name(_ plan: ShardPlan, _ submission: Submission) -> String { "\(plan.token)-\(submission.number)" }

    /// The manifest to apply.
    var text: String {
        JSONTree.object(["apiVersion": .text("v1"), "kind": .text("List"), "items": .list(objects)]).json + "\n"
    }

    private var objects: [JSONTree] { (sent.isEmpty ? [] : [configMap]) + [job] }

    /// All files of the ConfigMap.
    private var sent: [File] { files + (durations.map { [$0] } ?? []) }

    /// The Secret with the upload addresses of results, which is not kept; nil if there are none.
    var secret: String? {
        guard let results = options.results else { return nil }
        return JSONTree.object([
            "apiVersion": .text("v1"), "kind": .text("Secret"), "metadata": metadata,
            "stringData": .object(
                submission.shards.compactMap { shard in
                    results.pairs[shard].map {
                        .init(key: "put-\(shard)", value: .text(ResultAddresses.configuration($0.put)))
                    }
                }),
        ]).json + "\n"
    }
    /// Each object by itself.
    var texts: [String] { objects.map(\.json) }

    private var metadata: JSONTree {
        .object(["name": .text(name), "labels": .object([Self.jobLabel: .text(plan.token)])])
    }

    private var configMap: JSONTree {
        .object([
            "apiVersion": .text("v1"), "kind": .text("ConfigMap"), "metadata": metadata,
            "data": .object(sent.enumerated().map { .init(key: "file-\($0)", value: .text($1.text)) }),
        ])
    }

    private var job: JSONTree {
        let count = submission.shards.count
        let podRules: [JSONTree] = [
            .object([
                "action": .text("Ignore"),
                "onPodConditions": .list([.object(["type": .text("DisruptionTarget"), "status": .text("True")])]),
            ]),
            .object([
                "action": .text("FailIndex"),
                "onExitCodes": .object([
                    "containerName": .text("shard"), "operator": .text("In"),
                    "values": .list(Self.finalStatuses.map { .whole($0) }),
                ]),
            ]),
        ]
        return .object([
            "apiVersion": .text("batch/v1"), "kind": .text("Job"), "metadata": metadata,
            "spec": .object([
                "completionMode": .text("Indexed"), "completions": .whole(count),
                "parallelism": .whole(min(count, options.atOnce ?? count)),
                "backoffLimitPerIndex": .whole(Self.mostTries - 1),
                "maxFailedIndexes": .whole(count), "podFailurePolicy": .object(["rules": .list(podRules)]),
                "template": .object([
                    "metadata": .object(["labels": .object([Self.jobLabel: .text(plan.token)])]), "spec": pod,
                ]),
            ]),
        ])
    }

    /// Whether links are packets; then cells need namespaces and the TUN device.
    private var hasPackets: Bool { !plan.command.options.contains { $0.name == "--backend" && $0.value == "proxy" } }

    private var pod: JSONTree {
        // Two shards on one node would disturb each other's measurements.
        let apart = JSONTree.object([
            "labelSelector": .object([
                "matchExpressions": .list([.object(["key": .text(Self.jobLabel), "operator": .text("Exists")])])
            ]), "topologyKey": .text("kubernetes.io/hostname"),
        ])
        let mounted = volumes.map { JSONTree.object(["name": .text($0.name), $0.kind: $0.source]) }
        return .object([
            "restartPolicy": .text("Never"), "terminationGracePeriodSeconds": .integer(10),
            "automountServiceAccountToken": .flag(false),
            "affinity": .object([
                "podAntiAffinity": .object(["requiredDuringSchedulingIgnoredDuringExecution": .list([apart])])
            ]), "containers": .list([container]), "volumes": .list(mounted),
        ])
    }

    /// A volume of the pod: where it is mounted, and the kind of its source with the source itself.
    private typealias Volume = (name: String, path: String, kind: String, source: JSONTree)

    private var volumes: [Volume] {
        var volumes: [Volume] = [
            ("work", "/work", "emptyDir", .object([] as [JSONTree.Member])),
            ("memory", "/tmp", "emptyDir", .object(["medium": .text("Memory"), "sizeLimit": .text("2Gi")])),
        ]
        if hasPackets {
            let device = JSONTree.object(["path": .text("/dev/net/tun"), "type": .text("CharDevice")])
            volumes.append(("tun", "/dev/net/tun", "hostPath", device))
        }
        if !sent.isEmpty {
            let items = sent.enumerated().map { number, file in
                JSONTree.object(["key": .text("file-\(number)"), "path": .text(String(file.path.dropFirst()))])
            }
            let map = JSONTree.object(["name": .text(name), "items": .list(items)])
            volumes.append(("files", "/headwind-files", "configMap", map))
        }
        if options.results != nil {
            volumes.append(("results", "/headwind-results", "secret", .object(["secretName": .text(name)])))
        }
        if let claim = options.claim {
            let source = JSONTree.object(["claimName": .text(claim.name), "readOnly": .flag(true)])
            volumes.append(("content", claim.path, "persistentVolumeClaim", source))
        }
        return volumes
    }

    private var container: JSONTree {
        let unconfined = JSONTree.object(["type": .text("Unconfined")])
        let amounts = JSONTree.object([
            "cpu": options.processors.map(JSONTree.text), "memory": options.memory.map(JSONTree.text),
        ])
        let words = ["sh", "-c", KubernetesScript.text, "shard"] + arguments
        return .object([
            "name": .text("shard"), "image": .text(options.image),
            // Kubernetes expands $(NAME) in words; $$ stands for $.
            "command": .texts(words.map { $0.replacing("$", with: "$$") }),
            "env": .list([
                .object([
                    "name": .text("SHARDS"), "value": .text(submission.shards.map { "\($0)" }.joined(separator: " ")),
                ])
            ]),
            "resources": amounts.members.isEmpty ? nil : .object(["requests": amounts, "limits": amounts]),
            "securityContext": hasPackets
                ? .object(["seccompProfile": unconfined, "appArmorProfile": unconfined]) : nil,
            "readinessProbe": .object([
                "exec": .object(["command": .texts(["test", "-e", "/work/exit"])]), "periodSeconds": .integer(2),
            ]),
            "volumeMounts": .list(volumes.map { .object(["name": .text($0.name), "mountPath": .text($0.path)]) }),
        ])
    }

    /// The arguments of the script: the number of shards, the working folder, and the words of `headwind run`.
    private var arguments: [String] {
        var command = plan.command
        let isSent = Set(files.map(\.path))
        func place(_ path: String) -> String {
            let isThere = isSent.contains { FilePath($0).starts(with: FilePath(path)) }
            return isThere && path.hasPrefix("/") ? KubernetesScript.files + path : path
        }
        command.scenarios = command.scenarios.map(place)
        for index in command.options.indices where command.options[index].name == "--baseline" {
            command.options[index].value = command.options[index].value.map(place)
        }
        let directory = (options.claim == nil ? KubernetesScript.files : "") + command.directory
        return ["\(plan.count)", directory]
            + command.shared(
                durations: durations.map { KubernetesScript.files + $0.path }, packs: options.packs ?? packs)
    }
}

/// The script that a pod runs.
enum KubernetesScript {
    /// The folder that replaces the root of the coordinator's machine.
    static let files = "/work/files"
    private static let finalStatuses = KubernetesManifest.finalStatuses.map { "\($0)" }.joined(separator: "|")

    static let text = """
        count=$1 directory=$2; shift 2
        place=0
        for number in $SHARDS; do
            if [ "$place" = "$JOB_COMPLETION_INDEX" ]; then shard=$number; fi
            place=$((place + 1))
        done
        mkdir -p /work/files && case $directory in /work/*) mkdir -p "$directory" ;; esac || exit 75
        # A ConfigMap is made of links to links.
        if [ -d /headwind-files ]; then cp -RL /headwind-files/. /work/files/ || exit 75; fi
        cd "$directory" || exit 75
        headwind run --shard "$shard/$count" --output /work/result "$@" 2>&1
        status=$?
        # Without a result, another pod tries, if the status is not final.
        if [ ! -e /work/result/result.json ]; then exit "$status"; fi
        end=$status
        case $status in 0|\(finalStatuses)) ;; *) end=\(KubernetesManifest.otherStatus) ;; esac
        if [ -e "/headwind-results/put-$shard" ]; then
            echo "$status" >/work/result/exit
            tar -czf /work/result.tar.gz -C /work result || exit 75
            curl --fail --silent --show-error --retry 5 --upload-file /work/result.tar.gz \
                --config "/headwind-results/put-$shard" || exit 75
            exit "$end"
        fi
        echo "$status" >/work/exit
        # The result goes with the pod: wait until it is fetched, for an hour.
        waited=0
        while [ ! -e /work/fetched ] && [ "$waited" -lt 3600 ]; do sleep 1; waited=$((waited + 1)); done
        exit "$end"
        """
}
