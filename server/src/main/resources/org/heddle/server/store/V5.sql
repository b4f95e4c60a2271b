CREATE TABLE credential_use (
  name TEXT PRIMARY KEY,
  used_at BIGINT NOT NULL
);
CREATE TABLE probe (
  id INTEGER PRIMARY KEY,
  filler TEXT NOT NULL
);
