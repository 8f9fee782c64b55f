import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** Opens an address in the person's browser. Calls `onNone` when there is none. */
export function openBrowser(url: string, onNone: () => void): void {
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [url], { detached: true, stdio: 'ignore' })
  opener.once('error', onNone)
  opener.unref()
}
