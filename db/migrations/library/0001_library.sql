-- The user's own catalog entries, in the form in which a project holds them.
-- Frozen: a change of the schema is a new step.

CREATE TABLE catalog_entry (
    origin TEXT NOT NULL CHECK (origin = 'own'),
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    confidence TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
