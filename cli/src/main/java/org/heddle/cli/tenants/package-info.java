/**
 * {@code heddle tenants ...}. About a file: {@link org.heddle.cli.tenants.InitCommand}, {@link
 * org.heddle.cli.tenants.ValidateCommand}, {@link org.heddle.cli.tenants.ExplainCommand}. Of a
 * controller: {@link org.heddle.cli.tenants.ListCommand}, {@link
 * org.heddle.cli.tenants.ShowCommand}, {@link org.heddle.cli.tenants.CreateCommand}, {@link
 * org.heddle.cli.tenants.ChangeCommand}, {@link org.heddle.cli.tenants.DeleteCommand}. Between the
 * two: {@link org.heddle.cli.tenants.ApplyCommand} and {@link
 * org.heddle.cli.tenants.ExportCommand}.
 */
package org.heddle.cli.tenants;
