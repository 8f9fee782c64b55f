import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Waits for the end of its input, which comes when this process dies by any signal, and then kills the group. A line
 * means that the group has ended.
 */
const script = 'read -r line || kill -s KILL -- "-$1"'

/**
 * Ties a process group to this process's life: a run that is killed leaves no server behind. Returns a function that
 * unties it; call it as soon as the group's leader has ended, before another process gets its number.
 */
export function tieGroup(leader: number): () => void {
  const watchdog = spawn('/bin/sh', ['-c', script, 'group-watchdog', String(leader)], {
    // Its own group: a signal to this process's group does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.on('error', () => undefined)
  watchdog.unref()
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref()
  return () => watchdog.stdin.end('ended\n')
}
