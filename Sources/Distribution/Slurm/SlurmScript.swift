/// The script that Slurm runs for each shard.
///
/// All variable parts are arguments, so that no text is composed that a shell parses.
enum SlurmScript {
    static let text = """
        #!/bin/sh
        # One shard of a run that 'headwind run --on slurm' has divided. Arguments: where results are, the number of the
        # submission, that of the run, how many shards there are, what to add to the number in the array, headwind, and
        # words for it.
        folder=$1 submission=$2 run=$3 count=$4 offset=$5 program=$6
        shift 6
        shard=$((SLURM_ARRAY_TASK_ID + offset))
        name=$folder/shard-$shard.$submission.$run
        # Headwind itself has lost shards run again. A job that the site starts anew would write to the folder of the first.
        if [ "${SLURM_RESTART_COUNT:-0}" != 0 ] || [ -e "$name.exit" ]; then exit 0; fi
        exec >"$folder/shard-$shard.log" 2>&1
        # This shell outlives the signal that ends headwind, and keeps its status.
        trap : TERM INT
        # What a try has finished that was lost is taken up, in a copy: that try may not know that it is lost.
        earlier=$submission
        while [ "$earlier" -gt 1 ] && [ ! -d "$name.part" ]; do
            earlier=$((earlier - 1))
            lost=$folder/shard-$shard.$earlier.$run
            ended=$(cat "$lost.exit" 2>/dev/null) || ended=255
            if [ "$ended" -ge 128 ] && [ -f "$lost.part/result.json" ]; then
                cp -R "$lost.part" "$name.part.new" && mv "$name.part.new" "$name.part"
                rm -rf "$name.part.new"
            fi
        done
        status=65
        if [ -d "$name.part" ]; then
            "$program" run --shard "$shard/$count" --resume "$name.part" "$@"
            status=$?
        fi
        # There is nothing to take up, or it is of other scenarios.
        if [ "$status" = 65 ]; then
            rm -rf "$name.part"
            "$program" run --shard "$shard/$count" --output "$name.part" "$@"
            status=$?
        fi
        echo "$status" >"$name.exit.new" && mv "$name.exit.new" "$name.exit"
        # Never headwind's: a site may start jobs anew by their status (RequeueExit), whatever sbatch says.
        exit 0

        """
}
