import { apiDocument } from '@/lib/server/api/openapi'

/** `GET /api/openapi.json`: what can be asked of this server, for programs. The same for everybody, from any page. */
export function GET(): Response {
  return Response.json(apiDocument, {
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  })
}
