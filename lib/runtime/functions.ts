type Source = Readonly<Record<string, string | undefined>>

/** True where a host runs the app as functions: a process sleeps from its answer to its next request, and may end meanwhile. */
export const isFunction = (source: Source): boolean => Boolean(source.VERCEL)

/** True for a process with a worker. A sleeping worker would keep its claimed replies from others. */
export const hasWorker = (source: Source): boolean => source.RAMIFY_WORKER !== 'off' && !isFunction(source)

/** Sizes of files that the host passes on to a function, whose requests have 4.5 MB at most. */
const limits: Source = { RAMIFY_FILE_LIMIT_MB: '4', RAMIFY_IMPORT_LIMIT_MB: '4' }

/** The settings of a process: a function's limits unless the operator sets others, else as they are given. */
export const withFunctionLimits = (source: Source): Source =>
  isFunction(source) ? { ...limits, ...source } : source
