import type { FunctionPlan } from './function-plan'

type Route = FunctionPlan['routing']['dynamicRoutes'][number]

/** A request as rules of routing see it. */
interface Asked {
  pathname: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The match of a rule's address; undefined where a header or the lack of one keeps the rule from the request. */
export function matchOf(route: Pick<Route, 'sourceRegex' | 'has' | 'missing'>, asked: Asked) {
  const has = ({ type, key }: { type: string; key?: string | undefined }) => {
    if (type !== 'header') throw new Error(`A rule looks at ${type}, which nothing here knows`)
    return key !== undefined && asked.headers[key] !== undefined
  }
  if (route.has?.some((one) => !has(one)) || route.missing?.some(has)) return undefined
  return new RegExp(route.sourceRegex).exec(asked.pathname) ?? undefined
}

/** A rule's destination, with the parts of the address that it names. */
const filled = (text: string, match: RegExpExecArray): string =>
  text.replaceAll(
    /\$(\d+|[a-zA-Z]\w*)/g,
    (_, name: string) => match.groups?.[name] ?? match[Number(name)] ?? '',
  )

/** The headers that rules add to every answer of an address, and where it is sent instead. */
export function beforeProxy({ beforeMiddleware }: FunctionPlan['routing'], asked: Asked) {
  const headers: Record<string, string> = {}
  for (const route of beforeMiddleware) {
    const match = matchOf(route, asked)
    if (!match) continue
    for (const [name, value] of Object.entries(route.headers ?? {})) {
      headers[name.toLowerCase()] = filled(value, match)
    }
    if (route.status) return { headers, status: route.status }
  }
  return { headers, status: undefined }
}

/** The output that answers an address, and the address that it is asked at. */
export function outputAt(
  routing: FunctionPlan['routing'],
  asked: Asked,
  isOutput: (pathname: string) => boolean,
): { output: string; pathname: string } | undefined {
  const { pathname } = asked
  if (isOutput(pathname)) return { output: pathname, pathname }
  for (const route of routing.afterFiles) {
    const match = matchOf(route, asked)
    if (!match || !route.destination) continue
    return outputAt(
      { ...routing, afterFiles: [] },
      { ...asked, pathname: filled(route.destination, match) },
      isOutput,
    )
  }
  for (const route of routing.dynamicRoutes) {
    const match = matchOf(route, asked)
    if (!match || !route.destination) continue
    const [output = ''] = filled(route.destination, match).split('?', 1)
    if (isOutput(output)) return { output, pathname }
  }
  return undefined
}
