"""Entry point for spark-submit: the arguments are those of `samestory find`.

spark-submit --master yarn $(python -m samestory.cli.spark_submit --where) s3a://news/2024 --parquet s3a://out/2024
"""

import sys

from samestory.cli import main

if __name__ == "__main__":
    if sys.argv[1:] == ["--where"]:
        print(__file__)
    else:
        sys.exit(main(["find", "--spark", "submit", *sys.argv[1:]]))
