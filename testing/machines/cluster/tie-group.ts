import { spawn } from 'node:child_process'

/** Waits for the end of its input, which comes when this process dies by any signal, then ends the group. */
const script = 'cat >/dev/null; kill -s KILL -- "-$1"'

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
  return () => watchdog.kill('SIGKILL')
}
