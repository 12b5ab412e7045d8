"""Makes a dataset with Spark: each Spark task runs one task of the dataset.

    spark-submit --master spark://HOST:7077 make_dataset.py TASKS DIR FLAG...
    spark-submit --master spark://HOST:7077 make_dataset.py 64 /data/night --config night.yaml

DIR, files named by flags, and the program selfplay must be at the same place on every machine. Spark
repeats a task whose executor is lost, and one that fails up to spark.task.maxFailures times (4).
"""

import subprocess
import sys
import threading

from pyspark.sql import SparkSession

tasks, folder, flags = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


def play(index):
    """Makes the shards s with s mod tasks = index. Shards and games that exist are kept."""
    numbers = ["--task-count", str(tasks), "--task-index", str(index)]
    subprocess.run(["selfplay", "run", "--quiet", "--workers", "1", "--out", folder, *numbers, *flags], check=True)


def report():
    """Prints what the commit records and journals in DIR say, every ten seconds."""
    while not done.wait(10):
        subprocess.run(["selfplay", "status", folder])


done = threading.Event()
threading.Thread(target=report, daemon=True).start()
spark = SparkSession.builder.appName("selfplay").getOrCreate()
try:
    spark.sparkContext.parallelize(range(tasks), tasks).foreach(play)
finally:
    done.set()
    spark.stop()
subprocess.run(["selfplay", "finalize", folder], check=True)
subprocess.run(["selfplay", "verify", folder], check=True)
