/**
 * Starts a watch that says how many milliseconds this process has worked since. For limits on how costly something is: what else
 * a machine does meanwhile does not count.
 */
export function cpuTime(): () => number {
  const start = process.cpuUsage()
  return () => process.cpuUsage(start).user / 1000
}
