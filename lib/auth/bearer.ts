/** The bearer token of a request, empty when it names none; undefined when it comes without, or with other credentials. */
export function bearerOf(request: Request): string | undefined {
  const [scheme, token = ''] = (request.headers.get('authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}
