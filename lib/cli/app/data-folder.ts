import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Tells whether a folder is the package that `npm run pack` makes: it has no sources. */
export const isPacked = (root: string): boolean => !existsSync(path.join(root, 'lib/cli/start.ts'))

/**
 * The data folder of a package: the named one, relative to the folder of the call, else that of the platform.
 */
export const dataFolderOf = (env: Env, cwd: string): string =>
  env.RAMIFY_DATA_DIR ? path.resolve(cwd, env.RAMIFY_DATA_DIR) : platformFolder(env)

/** The usual folder for data of programs on each platform. */
export function platformFolder(
  env: Env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') return path.win32.join(env.LOCALAPPDATA || `${home}\\AppData\\Local`, 'ramify')
  if (platform === 'darwin') return path.posix.join(home, 'Library/Application Support/ramify')
  const given = env.XDG_DATA_HOME ?? ''
  // the standard has relative ones ignored
  return path.posix.join(path.posix.isAbsolute(given) ? given : `${home}/.local/share`, 'ramify')
}
