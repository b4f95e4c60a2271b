CREATE TABLE vm (
  fabric TEXT NOT NULL,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, name)
);
CREATE TABLE migration (
  fabric TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (fabric, epoch)
);
ALTER TABLE fabric ADD COLUMN next_vguid BIGINT NOT NULL DEFAULT 0;
