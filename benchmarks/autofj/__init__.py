"""The 50 AutoFJ tables: top-1, the join, and the open world, for pearljoin and its peers."""
