"""The PEARL benchmark: tasks, baselines, results and reports."""
