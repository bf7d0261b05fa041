"""From features to match probabilities: trained scorer, comparison levels, calibration."""
