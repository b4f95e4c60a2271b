/**
 * What commands that talk to a controller share: where it is and who asks ({@link
 * org.heddle.cli.remote.ServerOptions}, {@code Certificates}), calls that are tried again under one
 * key ({@link org.heddle.cli.remote.ServerClient}), how they fail ({@code Failures}), following
 * events and jobs ({@link org.heddle.cli.remote.Events}, {@link org.heddle.cli.remote.Jobs}),
 * waiting until the fabric has it ({@link org.heddle.cli.remote.WaitOptions}). Start with {@link
 * org.heddle.cli.remote.ServerClient}.
 */
package org.heddle.cli.remote;
