import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'

const repoRoot = path.resolve(import.meta.dirname, '../..')

/** For a browser that shows no window to anybody. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  // two browsers on two cores: more threads that paint take turns
  '--num-raster-threads=1',
]

// without a window to draw it takes a quarter less of a machine's time, so it comes first
const names = [
  ...['chromium-headless-shell', 'google-chrome-stable', 'google-chrome'],
  ...['chromium', 'chromium-browser', 'chrome'],
]
const folders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/opt/homebrew/bin', '/snap/bin']
const applications = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
]
const windowsChrome = 'Google\\Chrome\\Application\\chrome.exe'

/**
 * The path of a Chrome or Chromium that runs, or null. `PLAYWRIGHT_CHROMIUM_PATH` or `CHROME_PATH` decides
 * alone when set: a browser that is not the one asked for would be a surprise.
 */
export function findBrowser(): string | null {
  const named = process.env.PLAYWRIGHT_CHROMIUM_PATH || process.env.CHROME_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`PLAYWRIGHT_CHROMIUM_PATH or CHROME_PATH names "${named}", which does not exist`)
  }
  for (const candidate of candidates()) if (existsSync(candidate) && runs(candidate)) return candidate
  return null
}

/** Finds a browser, or installs Chromium: Debian’s as root, whose libraries come with it, Playwright’s otherwise. */
export function ensureBrowser(): string {
  const present = findBrowser()
  if (present) return present
  console.log('No Chrome or Chromium found: installing one.')
  const root = process.getuid?.() === 0
  if (root && existsSync('/etc/debian_version')) {
    attempt('apt-get', ['update'])
    for (const name of ['chromium-headless-shell', 'chromium']) {
      attempt('apt-get', ['install', '-y', name])
      const installed = findBrowser()
      if (installed) return installed
    }
  }
  attempt(process.execPath, [
    path.join(repoRoot, 'node_modules/@playwright/test/cli.js'),
    'install',
    'chromium',
  ])
  const downloaded = findBrowser()
  if (downloaded) return downloaded
  throw new Error(
    'No browser could be installed. Install Chrome or Chromium, or set PLAYWRIGHT_CHROMIUM_PATH.',
  )
}

function* candidates(): Generator<string> {
  const places = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), ...folders]
  for (const name of names) for (const place of places) yield path.join(place, name)
  for (const place of ['/Applications', path.join(homedir(), 'Applications')])
    for (const application of applications) yield path.join(place, application)
  for (const place of [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA])
    if (place) yield path.join(place, windowsChrome)
  // loaded last: it takes longer than all of the above
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  yield chromium.executablePath()
}

/** Ubuntu's `chromium-browser` is a script that only says to install a snap; missing libraries show here too. */
function runs(executable: string): boolean {
  // Chrome for Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true
  return spawnSync(executable, ['--version'], { timeout: 20_000 }).status === 0
}

function attempt(command: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}
