import 'server-only'
import type { Operation } from './operation'

const variables: Record<string, string> = {
  'The thread': '$THREAD',
  'The chat': '$CHAT',
  'The key': '$KEY_ID',
}

/** The operation as lines for a shell that knows `$RAMIFY`, the server, and `$RAMIFY_KEY`: one for each kind of answer. */
export function curlsOf(operation: Operation): string[] {
  const kinds = new Set(operation.answers.filter(({ status }) => status < 300).map(({ type }) => type))
  return [...kinds].map((kind) => curlOf(operation, kind))
}

function curlOf(operation: Operation, kind: 'text/event-stream' | undefined): string {
  const { method, path, names = '', body, asks, query, answers } = operation
  const address = path.replace('{id}', variables[names] ?? '')
  const asked = !query ? '' : 'q' in query.shape ? '?q=sardines' : 'chat' in query.shape ? '?chat=$CHAT' : ''
  const streams = kind === 'text/event-stream'
  // an address that can do nothing else need not be told
  const choosing = streams && answers.some(({ type }) => type === undefined)
  const parts = [
    `curl ${streams ? '-N ' : ''}${method === 'delete' ? '-X DELETE ' : ''}"$RAMIFY${address}${asked}"`,
    ...(asks === undefined ? ['-H "Authorization: Bearer $RAMIFY_KEY"'] : []),
    ...(asks === 'scheduler' ? ['-H "Authorization: Bearer $CRON_SECRET"'] : []),
    ...(asks === 'scheduler' && method === 'post' ? ['-X POST'] : []),
    ...(asks === 'anybody' && path.startsWith('/api/auth/') ? ['-b session.txt -c session.txt'] : []),
    ...(choosing ? ["-H 'Accept: text/event-stream'"] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body.example)}'`] : []),
  ]
  return parts.join(' \\\n  ')
}
