import { executeRun } from './execute-run'
import type { Ports } from './ports'

/**
 * Takes runs that wait for somebody, at most `limit`: queued by a command, or left by a process that has died. Each of
 * `replies` resolves when it is stored, and `ended` when all are.
 */
export async function takeOverRuns(
  ports: Ports,
  limit = 100,
): Promise<{ taken: number; replies: Promise<void>[]; ended: Promise<unknown> }> {
  // what this process writes it goes on with, however long the database was away
  const claimed = await ports.runs.claim(ports.leaseMs, limit, ports.live.ids())
  const replies = claimed.map((run) => executeRun(ports, run, ports.live.open(run)))
  return { taken: claimed.length, replies, ended: Promise.all(replies) }
}
