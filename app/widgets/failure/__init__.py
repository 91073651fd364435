"""What happens when something dies: studies behind the failure table, admission and storms."""
