/// What Slurm runs for each shard.
///
/// All that differs comes as arguments, so that no text is put together that a shell reads.
enum SlurmScript {
    static let text = """
        #!/bin/sh
        # One shard of a run that 'headwind run --on slurm' has divided. Arguments: where results are, the number of the
        # submission, how many shards there are, what to add to the number in the array, headwind, and words for it.
        folder=$1 submission=$2 count=$3 offset=$4 program=$5
        shift 5
        shard=$((SLURM_ARRAY_TASK_ID + offset))
        name=$folder/shard-$shard.$submission
        # Headwind itself has lost shards run again. A job that the site starts anew would write to the folder of the first.
        if [ "${SLURM_RESTART_COUNT:-0}" != 0 ] || [ -e "$name.exit" ]; then exit 0; fi
        exec >"$folder/shard-$shard.log" 2>&1
        # This shell outlives the signal that ends headwind, and keeps its status.
        trap : TERM INT
        "$program" run --shard "$shard/$count" --output "$name.part" "$@"
        status=$?
        echo "$status" >"$name.exit.new" && mv "$name.exit.new" "$name.exit"
        # Never headwind's: a site may start jobs anew by their status (RequeueExit), whatever sbatch says.
        exit 0

        """
}
