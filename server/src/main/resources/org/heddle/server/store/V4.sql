CREATE TABLE job (
  fabric TEXT NOT NULL,
  id BIGINT NOT NULL,
  actor TEXT NOT NULL,
  request_key TEXT NOT NULL,
  owner TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, id)
);
CREATE INDEX job_of_key ON job (fabric, actor, request_key);
CREATE INDEX job_open ON job (fabric, is_open);
CREATE TABLE drained (
  fabric TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, epoch)
);
