import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Waits for the end of its input, which comes when this process closes it or dies by any signal,
 * then stops the server at once (nothing in it is worth a checkpoint) and removes the folder.
 */
const script = `
cat >/dev/null
pidfile="$1/data/postmaster.pid"
pid=$(head -n 1 "$pidfile" 2>/dev/null) && kill -QUIT "$pid"
tries=0
while [ -e "$pidfile" ] && [ "$tries" -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
[ -e "$pidfile" ] && kill -KILL "$pid"
rm -rf "$1"
`

/** Ties a cluster's folder to this process's life. Returns a function that stops the cluster earlier; calling it again is harmless. */
export function watchCluster(folder: string): () => Promise<void> {
  const watchdog = spawn('/bin/sh', ['-c', script, 'cluster-watchdog', folder], {
    // Its own group: a signal to this process's group does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((resolve, reject) => {
    watchdog.once('exit', () => resolve())
    watchdog.once('error', reject)
  })
  // A cluster that is still running must not keep this process alive.
  watchdog.unref()
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref()
  return async () => {
    watchdog.ref()
    watchdog.stdin.end()
    await ended
  }
}
