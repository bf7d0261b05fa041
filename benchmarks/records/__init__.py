"""Record linkage and deduplication by several columns, for pearljoin and its peers."""
