import 'server-only'
import {
  InvalidClientError,
  InvalidClientMetadataError,
  OAuthError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { OAuthClientMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { audit, getServices, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { type AuthMethod, authMethods, type OAuthApp } from '@/lib/store'
import { RequestRefusedError } from '../http/problem'
import { readBody } from '../http/read-body'
import { secretAnswer } from './answers'
import { faultOfRedirect } from './redirect-uris'

const HOUR = 3600
/** Registrations from one address in an hour. Unknown addresses share one limit. */
const A_HOUR = 20
const UNKNOWN_SHARES = 60

/** The addresses of an app are none that a code may be sent to (RFC 7591 §3.2.2). */
class InvalidRedirectError extends OAuthError {
  static override errorCode = 'invalid_redirect_uri'
}

/** `POST /api/oauth/register`: registers an app (RFC 7591). It gives no right: a person lets the app in, or does not. */
export async function registerApp(request: Request): Promise<Response> {
  const services = await getServices()
  const address = clientAddress(request)
  await limitRegistrations(services, address)
  const parsed = OAuthClientMetadataSchema.safeParse(await readBody(request, { bytes: 10_000, values: 200 }))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') ?? ''
    const detail = `${where}: ${issue?.message ?? 'not valid'}`.slice(0, 300)
    throw where.startsWith('redirect_uris')
      ? new InvalidRedirectError(detail)
      : new InvalidClientMetadataError(detail)
  }
  const app = checked(parsed.data)
  const { id, secret } = await services.apps.register(app)
  audit('app_registered', { app: id, name: app.name, address })
  return secretAnswer(
    {
      client_id: id,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: app.name,
      redirect_uris: app.redirectUris,
      token_endpoint_auth_method: app.authMethod,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    201,
  )
}

function checked(asked: ReturnType<typeof OAuthClientMetadataSchema.parse>): Omit<OAuthApp, 'id'> {
  const { redirect_uris: redirectUris, grant_types: grants, response_types: answers } = asked
  if (redirectUris.length === 0 || redirectUris.length > 10)
    throw new InvalidRedirectError('redirect_uris: one to ten addresses')
  for (const uri of redirectUris) {
    const fault = faultOfRedirect(uri)
    if (fault) throw new InvalidRedirectError(`redirect_uris: an address ${fault}`)
  }
  if (grants && !grants.includes('authorization_code'))
    throw new InvalidClientMetadataError(
      'grant_types: this server knows authorization_code and refresh_token',
    )
  if (answers && !answers.includes('code'))
    throw new InvalidClientMetadataError('response_types: this server knows code')
  const authMethod = (asked.token_endpoint_auth_method ?? 'client_secret_basic') as AuthMethod
  if (!authMethods.includes(authMethod))
    throw new InvalidClientMetadataError(`token_endpoint_auth_method: one of ${authMethods.join(', ')}`)
  // marks that turn the direction of a text, or are not seen, could make it read as another name
  const name = (asked.client_name ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 100)
    .trim()
  return { name: name || 'An app without a name', redirectUris, authMethod }
}

async function limitRegistrations({ attempts, limits }: Services, address: string): Promise<void> {
  if (limits.signInsPerMinute === Number.POSITIVE_INFINITY) return
  const allowed = A_HOUR * (address === 'unknown' ? UNKNOWN_SHARES : 1)
  const [hour] = await attempts.count({ key: `registrations:${address}`, seconds: HOUR })
  if (!hour || hour.count <= allowed) return
  const detail = 'Too many apps were registered from your network. Try again in an hour.'
  const details = { limit: 'registrations', allowed, used: hour.count, retry_after: hour.freesIn }
  throw new RequestRefusedError(429, 'too_many_requests', detail, details)
}

/**
 * The app that sends a form: by Basic authentication, or by fields of the form (RFC 6749 §2.3). An app with a
 * secret must show it, in the way it registered; wrong apps and wrong secrets are refused alike.
 */
export async function appOf(
  request: Request,
  form: ReadonlyMap<string, string>,
  { apps }: Services,
): Promise<OAuthApp> {
  const wrong = () => new InvalidClientError('This app is not registered here, or its secret is wrong.')
  const basic = basicOf(request)
  const { id, secret } = basic ?? { id: form.get('client_id') ?? '', secret: form.get('client_secret') }
  if (basic && form.has('client_secret')) throw wrong()
  const app = await apps.find(id)
  if (!app || (form.get('client_id') ?? id) !== id) throw wrong()
  if (app.authMethod === 'none') {
    if (secret) throw wrong()
    return app
  }
  const isInHeader = app.authMethod === 'client_secret_basic'
  if (isInHeader !== (basic !== undefined) || !secret || !(await apps.hasSecret(id, secret))) throw wrong()
  return app
}

function basicOf(request: Request): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (encoded === undefined) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  // ids and secrets of this server hold nothing that a form would encode
  return { id, secret: secret.join(':') }
}
