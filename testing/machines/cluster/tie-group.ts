import { spawn } from 'node:child_process'

/** Waits for the end of its input, which comes when we die by whatever signal, then ends the group. */
const script = 'cat >/dev/null; kill -s KILL -- "-$1"'

/**
 * Ties a process group to this process's life, so that no server is left behind by a run that was killed itself.
 * The answer unties it; call it as soon as the group's leader has ended, before its number is somebody else's.
 */
export function tieGroup(leader: number): () => void {
  const watchdog = spawn('/bin/sh', ['-c', script, 'group-watchdog', String(leader)], {
    // Its own group, so that what ends us does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return () => watchdog.kill('SIGKILL')
}
