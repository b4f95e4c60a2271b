CREATE TABLE plan (
  fabric TEXT NOT NULL,
  id BIGINT NOT NULL,
  actor TEXT NOT NULL,
  request_key TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, id)
);
CREATE INDEX plan_of_key ON plan (fabric, actor, request_key);
