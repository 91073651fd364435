-- SHA-256 over everything else in the document; null in files that are older than this step.
-- Frozen: a change of the schema is a new step.

ALTER TABLE written ADD COLUMN content_sha256 TEXT;
