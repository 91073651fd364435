-- A project: scenarios in their order, everything in them in its order, catalog entries.
-- Frozen: a change of the schema is a new step. STRICT holds every column to its type.

CREATE TABLE scenario (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    parent TEXT REFERENCES scenario (id) DEFERRABLE INITIALLY DEFERRED,
    name TEXT NOT NULL,
    customer TEXT NOT NULL,
    author TEXT NOT NULL,
    notes TEXT NOT NULL
) STRICT;

CREATE TABLE project (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    active TEXT NOT NULL REFERENCES scenario (id) DEFERRABLE INITIALLY DEFERRED,
    baseline TEXT REFERENCES scenario (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- Who wrote the file and when; no part of the project itself.
CREATE TABLE written (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    program_version TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT;

CREATE TABLE policy (
    scenario INTEGER PRIMARY KEY REFERENCES scenario (number),
    cpu_limit_pct REAL NOT NULL,
    response_limit_ms REAL NOT NULL,
    benchmark_derating REAL NOT NULL,
    peak_factor_cpu REAL NOT NULL,
    peak_factor_iops REAL NOT NULL,
    vcpus_per_core_limit REAL NOT NULL,
    memory_overcommit REAL NOT NULL,
    disk_limit_pct REAL NOT NULL,
    network_limit_pct REAL NOT NULL,
    capacity_limit_pct REAL NOT NULL,
    mail_growth_pct REAL NOT NULL
) STRICT;

CREATE TABLE cluster (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    admission_policy TEXT NOT NULL,
    admission_host_failures INTEGER NOT NULL,
    admission_cpu_pct REAL NOT NULL,
    admission_ram_pct REAL NOT NULL,
    admission_failover_host TEXT,
    PRIMARY KEY (scenario, id),
    FOREIGN KEY (scenario, admission_failover_host) REFERENCES host (scenario, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE host (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    server TEXT NOT NULL,
    hypervisor TEXT NOT NULL,
    ram_gib REAL NOT NULL,
    cluster TEXT,
    ft_logging_gbps REAL,
    nics INTEGER,
    nic_gbps REAL,
    failure_group TEXT,
    PRIMARY KEY (scenario, id),
    FOREIGN KEY (scenario, cluster) REFERENCES cluster (scenario, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE pool (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    array TEXT NOT NULL,
    disk TEXT NOT NULL,
    spindles INTEGER NOT NULL,
    raid TEXT NOT NULL,
    hot_spares INTEGER NOT NULL,
    raid_group INTEGER,
    read_share REAL,
    PRIMARY KEY (scenario, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE vm (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    host TEXT,
    pool TEXT,
    vcpus INTEGER NOT NULL,
    ram_gib REAL NOT NULL,
    disk_mode TEXT NOT NULL,
    workload_kind TEXT NOT NULL,
    workload_release TEXT NOT NULL,
    workload_active_users REAL NOT NULL,
    workload_mail_file_mb REAL NOT NULL,
    workload_registered_users REAL,
    workload_cpu_mhz REAL,
    workload_iops REAL,
    workload_memory_gib REAL,
    workload_disk_gib REAL,
    workload_network_mbps REAL,
    fault_tolerance INTEGER NOT NULL CHECK (fault_tolerance IN (0, 1)),
    powered_on INTEGER NOT NULL CHECK (powered_on IN (0, 1)),
    guest_bits INTEGER,
    memory_limit_gib REAL,
    memory_reservation_gib REAL,
    cpu_reservation_mhz REAL,
    restart_priority TEXT NOT NULL,
    lun TEXT,
    log_pool TEXT,
    system_disk_gib REAL,
    log_disk_gib REAL,
    dedicated_nic INTEGER NOT NULL CHECK (dedicated_nic IN (0, 1)),
    PRIMARY KEY (scenario, id),
    FOREIGN KEY (scenario, host) REFERENCES host (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, pool) REFERENCES pool (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, log_pool) REFERENCES pool (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE vm_partner (
    scenario INTEGER NOT NULL,
    vm TEXT NOT NULL,
    position INTEGER NOT NULL,
    partner TEXT NOT NULL,
    PRIMARY KEY (scenario, vm, position),
    FOREIGN KEY (scenario, vm) REFERENCES vm (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, partner) REFERENCES vm (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE vm_group (
    scenario INTEGER NOT NULL,
    vm TEXT NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (scenario, vm, position),
    FOREIGN KEY (scenario, vm) REFERENCES vm (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE affinity (
    scenario INTEGER NOT NULL REFERENCES scenario (number),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (scenario, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE affinity_vm (
    scenario INTEGER NOT NULL,
    rule TEXT NOT NULL,
    position INTEGER NOT NULL,
    vm TEXT NOT NULL,
    PRIMARY KEY (scenario, rule, position),
    FOREIGN KEY (scenario, rule) REFERENCES affinity (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, vm) REFERENCES vm (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE affinity_host (
    scenario INTEGER NOT NULL,
    rule TEXT NOT NULL,
    position INTEGER NOT NULL,
    host TEXT NOT NULL,
    PRIMARY KEY (scenario, rule, position),
    FOREIGN KEY (scenario, rule) REFERENCES affinity (scenario, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (scenario, host) REFERENCES host (scenario, id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

-- `used`: rows the scenarios used when they were saved; `own`: entries the user made. An entry is
-- read as a whole and never searched by its figures: they stand in `content`, as JSON.
CREATE TABLE catalog_entry (
    origin TEXT NOT NULL CHECK (origin IN ('used', 'own')),
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    confidence TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (origin, kind, id)
) STRICT, WITHOUT ROWID;
