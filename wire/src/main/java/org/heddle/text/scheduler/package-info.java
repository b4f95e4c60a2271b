/**
 * Files of job schedulers: requests to simulate ({@link
 * org.heddle.text.scheduler.RequestCsvReader}, {@link org.heddle.text.scheduler.SwfReader}, both
 * give a {@link org.heddle.text.scheduler.RequestTrace}), flows ({@link
 * org.heddle.text.scheduler.FlowCsvReader}), and what schedulers are told of tenants ({@link
 * org.heddle.text.scheduler.SlurmTopology}, {@link org.heddle.text.scheduler.ClusterTopology},
 * {@link org.heddle.text.scheduler.OpenStackScript}, {@link org.heddle.text.scheduler.PowerList}).
 */
package org.heddle.text.scheduler;
