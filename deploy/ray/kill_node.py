"""Runs make_dataset.py on a cluster of two nodes: first with --stop-after, then to the end. Kills the second node when
a shard is done.

    python kill_node.py TASKS DIR FLAG...
"""

import os
import pathlib
import subprocess
import sys
import time

from ray.cluster_utils import Cluster

TIMEOUT = 400  # seconds for a job

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "node_ip_address": "127.0.0.1"})
second = cluster.add_node(num_cpus=1, node_ip_address="127.0.0.1")
script = pathlib.Path(__file__).with_name("make_dataset.py")
command = [sys.executable, script, *sys.argv[1:]]
environment = {**os.environ, "RAY_ADDRESS": cluster.address}
commits = pathlib.Path(sys.argv[2], ".selfplay/commits")


def shards():
    """Returns the number of shards that are done."""
    return len(list(commits.glob("*.json")))


driver = None
try:
    stopped = subprocess.run([*command, "--stop-after", "1s"], env=environment, timeout=TIMEOUT)
    assert stopped.returncode == 3, f"exit code {stopped.returncode} after --stop-after, want 3"
    print("stopped by --stop-after with exit code 3", flush=True)

    before, end = shards(), time.monotonic() + TIMEOUT
    driver = subprocess.Popen(command, env=environment)
    while time.monotonic() < end and driver.poll() is None and shards() == before:
        time.sleep(0.2)
    assert driver.poll() is None, "the driver ended before a shard was done"
    cluster.remove_node(second, allow_graceful=False)
    print(f"one node of two is killed, {shards()} shards are done", flush=True)
    code = driver.wait(timeout=end - time.monotonic())
finally:
    if driver:
        driver.kill()
    cluster.shutdown()
sys.exit(code)
