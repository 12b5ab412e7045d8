"""Makes a dataset with Spark: each Spark task runs one task of the dataset.

    spark-submit --master spark://HOST:7077 make_dataset.py TASKS DIR FLAG...
    spark-submit --master spark://HOST:7077 make_dataset.py 64 /data/night --config /data/night.yaml

DIR, files named by flags, and the program selfplay must be at the same place on every machine: write whole paths,
because a task has a working directory of its own. Spark repeats a task whose executor is lost, and one that fails up to
spark.task.maxFailures times (4), unless no repetition helps: see FINAL. The exit code is that of a failed task, or 3
if some tasks stopped before their end and none failed: the same command resumes.
"""

import subprocess
import sys
import threading

from pyspark.sql import SparkSession

# Exit codes after which no repetition helps: done, bad flags, stopped by --stop-after, verification failed, another
# plan, different bytes.
FINAL = (0, 2, 3, 4, 5, 6)
tasks, folder, flags = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


def play(index):
    """Makes the shards s with s mod tasks = index. Shards and games that exist are kept. Returns the exit code."""
    numbers = ["--task-count", str(tasks), "--task-index", str(index)]
    command = ["selfplay", "run", "--quiet", "--workers", "1", "--out", folder, *numbers, *flags]
    code = subprocess.run(command).returncode
    if code not in FINAL:
        raise subprocess.CalledProcessError(code, command)
    return code


def report():
    """Prints what the commit records and journals in DIR say, every ten seconds."""
    while not done.wait(10):
        subprocess.run(["selfplay", "status", folder], stderr=subprocess.DEVNULL)  # at first there is nothing


done = threading.Event()
threading.Thread(target=report, daemon=True).start()
spark = SparkSession.builder.appName("selfplay").getOrCreate()
try:
    codes = set(spark.sparkContext.parallelize(range(tasks), tasks).map(play).collect())
finally:
    done.set()
    spark.stop()
if codes != {0}:
    print(f"the tasks ended with exit codes {sorted(codes)}: see the logs of the executors", file=sys.stderr)
    sys.exit(max(codes - {3}, default=0) or 3)
subprocess.run(["selfplay", "finalize", folder], check=True)
subprocess.run(["selfplay", "verify", folder], check=True)
