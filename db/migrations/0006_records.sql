-- What is kept beside a scenario: numbers that were stated, inputs of advisors, scores, a meeting.
-- Records are read as a whole and never searched: each is JSON that its kind makes sense of.
-- Frozen: a change of the schema is a new step.

CREATE TABLE record (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (scenario, position)
) STRICT, WITHOUT ROWID;
