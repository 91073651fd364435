-- Who gave which value of an item, and which values no automatic change may touch. `item` is the
-- id of a cluster, host, pool or VM, empty for the scenario's own policy. Marks are read as a whole
-- and never searched: they stand as JSON, by the path of the field.
-- Frozen: a change of the schema is a new step.

CREATE TABLE mark (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    item TEXT NOT NULL,
    origins TEXT NOT NULL,
    pins TEXT NOT NULL,
    PRIMARY KEY (scenario, item)
) STRICT, WITHOUT ROWID;
