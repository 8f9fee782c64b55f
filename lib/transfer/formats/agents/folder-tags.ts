import path from 'node:path'

/** The tag of a session: the last part of the folder that its agent worked in, on Windows too. */
export function folderTags(folder: string | null): string[] {
  const name = path.basename((folder ?? '').replaceAll('\\', '/'))
  return name === '' ? [] : [name]
}
