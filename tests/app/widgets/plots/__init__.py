"""Tests of charts' own parts."""
