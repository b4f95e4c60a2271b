package org.heddle.cli.shell;

import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.TenantsFile;
import org.heddle.text.TenantsFileReader;
import org.heddle.text.TenantsResolver;

/** Reads tenants files. */
public final class TenantsFiles {
  private TenantsFiles() {}

  /**
   * The partitions of a tenants file on a fabric.
   *
   * @throws Failure exit code 2 with all problems, if the file cannot be used
   */
  public static Tenancy read(Session session, String file, Fabric fabric) {
    TenantsFile tenants = session.accept(file, TenantsFileReader.read(session.read(file)));
    return session.accept(file, TenantsResolver.resolve(tenants, fabric)).tenancy();
  }
}
