"""What every stage uses: the config, whole files, facts about a run."""
