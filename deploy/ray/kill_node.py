"""Runs make_dataset.py on a cluster of two nodes and kills the second one when a shard is done.

    python kill_node.py TASKS DIR FLAG...
"""

import os
import pathlib
import subprocess
import sys
import time

from ray.cluster_utils import Cluster

PATIENCE = 400  # seconds for the whole job

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "node_ip_address": "127.0.0.1"})
second = cluster.add_node(num_cpus=1, node_ip_address="127.0.0.1")
script = pathlib.Path(__file__).with_name("make_dataset.py")
driver = subprocess.Popen([sys.executable, script, *sys.argv[1:]], env={**os.environ, "RAY_ADDRESS": cluster.address})
try:
    commits = pathlib.Path(sys.argv[2], ".selfplay/commits")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and driver.poll() is None and not any(commits.glob("*.json")):
        time.sleep(0.2)
    assert driver.poll() is None, "the driver ended before a shard was done"
    cluster.remove_node(second, allow_graceful=False)
    print(f"one node of two is killed, {len(list(commits.glob('*.json')))} shards are done", flush=True)
    code = driver.wait(timeout=end - time.monotonic())
finally:
    driver.kill()
    cluster.shutdown()
sys.exit(code)
