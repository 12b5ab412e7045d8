"""Makes a dataset with Ray: each Ray task runs one task of the dataset.

    python make_dataset.py TASKS DIR FLAG...
    python make_dataset.py 64 /data/night --config /data/night.yaml

RAY_ADDRESS names the cluster. Without it, Ray starts one on this machine. DIR, files named by flags, and the program
selfplay must be at the same place on every machine: write whole paths. Ray repeats a task that fails, or whose node is
lost, up to five times, unless no repetition helps: see FINAL. The exit code is that of a failed task, or 3 if some
tasks stopped before their end and none failed: the same command resumes.
"""

import subprocess
import sys

import ray

# Exit codes after which no repetition helps: done, bad flags, stopped by --stop-after, verification failed, another
# plan, different bytes.
FINAL = (0, 2, 3, 4, 5, 6)
tasks, folder, flags = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=True)
def play(index):
    """Makes the shards s with s mod tasks = index. Shards and games that exist are kept. Returns the exit code."""
    numbers = ["--task-count", str(tasks), "--task-index", str(index)]
    command = ["selfplay", "run", "--quiet", "--workers", "1", "--out", folder, *numbers, *flags]
    code = subprocess.run(command).returncode
    if code not in FINAL:
        raise subprocess.CalledProcessError(code, command)
    return code


ray.init()
codes, left = set(), [play.remote(index) for index in range(tasks)]
while left:
    done, left = ray.wait(left, num_returns=len(left), timeout=10)
    codes.update(ray.get(done))  # raises the error of a task that failed each time
    # What the commit records and journals say: at first there is nothing.
    subprocess.run(["selfplay", "status", folder], stderr=subprocess.DEVNULL)
if codes != {0}:
    print(f"the tasks ended with exit codes {sorted(codes)}: see the logs of the workers", file=sys.stderr)
    sys.exit(max(codes - {3}, default=0) or 3)
subprocess.run(["selfplay", "finalize", folder], check=True)
subprocess.run(["selfplay", "verify", folder], check=True)
