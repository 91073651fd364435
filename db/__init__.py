"""Files and rows in and out: project documents, migrations, importers."""
