CREATE TABLE reference (
  fabric TEXT PRIMARY KEY,
  snapshot TEXT NOT NULL,
  drained TEXT NOT NULL
);
