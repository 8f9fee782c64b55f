import 'server-only'
import { telemetry } from '@/lib/runtime'

type Handler<Context> = (request: Request, context: Context) => Promise<Response>

/**
 * A turn's handler within a span that begins with the request; the handler says with `turnEndsWith` when it ends. A refused
 * turn ends at once. Without telemetry it is the handler itself.
 */
export function observeTurn<Context>(handle: Handler<Context>): Handler<Context> {
  return async (request, context) => {
    const sending = telemetry()
    if (!sending) return handle(request, context)
    const span = sending.begin('turn', {}, { traceparent: request.headers.get('traceparent') })
    const response = await span.within(() => handle(request, context))
    span.set({ 'http.status': response.status })
    if (!response.ok) span.end()
    return response
  }
}

/** Ends the span of the turn under way when its reply is stored. */
export function turnEndsWith(ended: Promise<unknown>): void {
  const span = telemetry()?.current()
  if (!span) return
  ended.then(
    () => span.end(),
    (error: unknown) => span.end({ error }),
  )
}
