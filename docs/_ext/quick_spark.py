"""Settings of Spark for the small tables of a recipe."""

# Most of its time would go into compiling what runs once.
ARGUMENTS = (
    "--driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' --conf spark.log.level=ERROR "
    "--conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN "
    "pyspark-shell"
)
