/** A script as V8 counts it: how often each of its functions ran. */
interface CountedScript {
  url: string
  functions: { ranges: { count: number }[] }[]
}

/** The files of the product of which some code ran, but those that only list what a folder exports. */
export function filesRun(scripts: readonly CountedScript[], pathOf: (url: string) => string): string[] {
  const ran = scripts.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  )
  const paths = ran.map(({ url }) => pathOf(url.split('?')[0] ?? ''))
  return [...new Set(paths)].filter(isProduct).sort()
}

const isProduct = (path: string) => /^(?:app|components|lib)\/(?!.*\/index\.ts$).*\.tsx?$/.test(path)

/** A walk in words: its files, room by room. */
export function told(walk: string, files: readonly string[]): string {
  const rooms = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/')))
  const lines = [...rooms].map(
    ([room, those]) => `  ${room}: ${those.map((file) => file.slice(room.length + 1)).join(', ')}`,
  )
  return [`${walk}: ${files.length} files`, ...lines, ''].join('\n')
}
