-- Fields without a column of their own, of an item or, under the empty id, of the scenario: one JSON
-- object by the path of the field. What no query asks for needs no step of the schema that way.
-- Frozen: a change of the schema is a new step.

CREATE TABLE fields (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    item TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (scenario, item)
) STRICT, WITHOUT ROWID;
