CREATE TABLE fabric (
  name TEXT PRIMARY KEY,
  epoch BIGINT NOT NULL,
  engine TEXT NOT NULL,
  snapshot TEXT NOT NULL
);
CREATE TABLE tenant (
  fabric TEXT NOT NULL,
  name TEXT NOT NULL,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  pkey INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, name)
);
CREATE TABLE journal (
  fabric TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, epoch)
);
CREATE TABLE event (
  fabric TEXT NOT NULL,
  id BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, id)
);
CREATE TABLE answer (
  actor TEXT NOT NULL,
  request_key TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (actor, request_key)
);
CREATE TABLE audit (
  id BIGINT PRIMARY KEY,
  document TEXT NOT NULL
);
CREATE TABLE credential (
  name TEXT PRIMARY KEY,
  document TEXT NOT NULL
);
