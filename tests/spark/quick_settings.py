"""Settings of Spark for small tables."""

JAVA_OPTIONS = " ".join(
    (
        # Most of the time would go into compiling what runs once,
        "-XX:TieredStopAtLevel=1",
        # then into checking the code of Spark's classes, which is as it was installed,
        "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xshare:auto",
        # and into collecting the garbage of a heap that is small at first.
        "-XX:+UseSerialGC -Xms640m -Xmn400m",
    )
)

SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": JAVA_OPTIONS,
}
