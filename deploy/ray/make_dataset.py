"""Makes a dataset with Ray: each Ray task runs one task of the dataset.

    python make_dataset.py TASKS DIR FLAG...
    python make_dataset.py 64 /data/night --config night.yaml

RAY_ADDRESS names the cluster. Without it, Ray starts one on this machine. DIR, files named by flags, and
the program selfplay must be at the same place on every machine. Ray repeats a task that fails, or whose
node is lost, up to five times.
"""

import subprocess
import sys

import ray

tasks, folder, flags = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=True)
def play(index):
    """Makes the shards s with s mod tasks = index. Shards and games that exist are kept."""
    numbers = ["--task-count", str(tasks), "--task-index", str(index)]
    subprocess.run(["selfplay", "run", "--quiet", "--workers", "1", "--out", folder, *numbers, *flags], check=True)


ray.init()
left = [play.remote(index) for index in range(tasks)]
while left:
    done, left = ray.wait(left, num_returns=len(left), timeout=10)
    ray.get(done)  # raises the error of a task that failed each time
    subprocess.run(["selfplay", "status", folder])  # what the commit records and journals say
subprocess.run(["selfplay", "finalize", folder], check=True)
subprocess.run(["selfplay", "verify", folder], check=True)
