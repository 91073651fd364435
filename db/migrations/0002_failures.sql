-- What failures need: further failover hosts and slot options of clusters, assumptions, waivers.
-- Frozen: a change of the schema is a new step.

ALTER TABLE cluster ADD COLUMN admission_slot_cpu_cap_mhz REAL;
ALTER TABLE cluster ADD COLUMN admission_slot_ram_cap_mib REAL;
ALTER TABLE cluster ADD COLUMN admission_vm_cpu_min_mhz REAL;
ALTER TABLE cluster ADD COLUMN admission_vm_ram_min_mib REAL;

CREATE TABLE cluster_failover_host (
    scenario INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    position INTEGER NOT NULL,
    host TEXT NOT NULL,
    PRIMARY KEY (scenario, cluster, position),
    FOREIGN KEY (scenario, cluster) REFERENCES cluster (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, host) REFERENCES host (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE assumptions (
    scenario INTEGER PRIMARY KEY REFERENCES scenario (number),
    ha_detection_s REAL NOT NULL,
    guest_boot_s REAL NOT NULL,
    domino_start_s REAL NOT NULL,
    log_replay_s REAL NOT NULL,
    consistency_check_s_per_gib REAL NOT NULL,
    reconnect_s REAL NOT NULL,
    login_actions REAL NOT NULL,
    holiday_login_s REAL NOT NULL,
    holiday_peak_factor REAL NOT NULL,
    holiday_s REAL NOT NULL,
    array_controllers INTEGER NOT NULL
) STRICT;

-- Scenarios of older files get what was assumed when this step was made.
INSERT INTO assumptions
SELECT number, 15.0, 120.0, 60.0, 60.0, 10.0, 60.0, 5.0, 1800.0, 1.5, 7200.0, 2 FROM scenario;

-- The key stands first: some releases of SQLite find a NULL in other columns where there is none.
CREATE TABLE waiver (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    rule TEXT NOT NULL,
    subject TEXT NOT NULL,
    position INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (scenario, rule, subject)
) STRICT, WITHOUT ROWID;
