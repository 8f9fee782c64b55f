export type Replies = typeof import('./replies')

let loading: Promise<Replies> | undefined

/** The code that streams replies, fetched once. Rejects while it cannot be reached; the next call tries again. */
export function loadReplies(): Promise<Replies> {
  loading ??= import('./replies').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
