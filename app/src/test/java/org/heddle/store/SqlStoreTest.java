package org.heddle.store;

class SqlStoreTest extends StoreContract {
  @Override
  SqlStore open() {
    return SqlStore.sqlite(directory.resolve("s.db"));
  }
}
