"""Settings of Spark for the small tables of a recipe."""

# Most of its time would go into compiling what runs once, then into checking the code of its
# classes, and into collecting the garbage of a heap that is small at first.
JAVA_OPTIONS = (
    "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote "
    "-XX:+UseSerialGC -Xms640m -Xmn400m"
)
ARGUMENTS = (
    f"--driver-java-options '{JAVA_OPTIONS}' --conf spark.log.level=ERROR "
    "--conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN "
    "pyspark-shell"
)
