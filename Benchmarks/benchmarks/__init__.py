"""Measurements of Headwind against its peers. Standard library only."""
