"""Join two CSV files on Spark.

spark-submit examples/spark_join.py seen.csv official.csv out
"""

import sys

from pyspark.sql import SparkSession

import pearljoin as pj

spark = SparkSession.builder.appName("pearljoin").getOrCreate()
seen, official = (spark.read.csv(path, header=True) for path in sys.argv[1:3])
joined = pj.fuzzy_join(seen, official, left_on="school", right_on="name", how="inner")
joined.write.mode("overwrite").csv(sys.argv[3], header=True)
spark.stop()
