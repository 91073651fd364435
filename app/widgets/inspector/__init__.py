"""The inspector of the selection."""
