/** Opens the database before the first request, so that a wrong setting or a locked folder ends the process at once. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { startServer } = await import('@/lib/server/start')
  await startServer()
}
