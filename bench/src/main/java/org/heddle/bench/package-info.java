/**
 * Measurements, run by the scripts in {@code bench/}: how fast are the kernels ({@link
 * org.heddle.bench.RoutingBenchmark}, {@link org.heddle.bench.AuditBenchmark} and other JMH
 * benchmarks), how does routing compare with OpenSM ({@link org.heddle.bench.RouteVsOpensm}), and
 * how does the controller bear load ({@link org.heddle.bench.ServeLoad}, {@link
 * org.heddle.bench.ServeClients}, {@code SlowClients})? Figures are in {@code docs/benchmarks.md}.
 */
package org.heddle.bench;
