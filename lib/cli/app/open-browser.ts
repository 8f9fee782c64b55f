import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** Opens an address in the browser of the person. Calls `onNone` where there is none. */
export function openBrowser(url: string, onNone: () => void): void {
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [url], { detached: true, stdio: 'ignore' })
  opener.once('error', onNone)
  opener.unref()
}
