import 'server-only'
import {
  InvalidGrantError,
  InvalidRequestError,
  InvalidScopeError,
  InvalidTargetError,
  UnsupportedGrantTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { bearerOf, UnauthenticatedError, type Viewer } from '@/lib/auth'
import { audit, getServices, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { ACCESS_TOKEN, type Exchange } from '@/lib/store'
import { checkStranger, keyHolder } from '../http/admit'
import { readForm, secretAnswer } from './answers'
import { appOf } from './apps'
import { scopesIn } from './authorization-request'
import { resourceAt } from './metadata'

/** `POST /api/oauth/token`: a code, or a refresh token, for tokens. */
export async function answerToken(request: Request): Promise<Response> {
  const services = await getServices()
  checkStranger(request, services)
  const form = await readForm(request)
  const app = await appOf(request, form, services)
  const grantType = form.get('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new UnsupportedGrantTypeError('This server knows authorization_code and refresh_token.')
  const resource = form.get('resource')?.replace(/\/$/, '')
  const exchange =
    grantType === 'refresh_token'
      ? await services.apps.rotate(needed(form, 'refresh_token'), {
          clientId: app.id,
          resource,
          scopes: form.get('scope') ? knownScopes(form.get('scope')) : undefined,
        })
      : await services.apps.redeem(needed(form, 'code'), {
          clientId: app.id,
          resource,
          verifier: needed(form, 'code_verifier'),
          redirectUri: needed(form, 'redirect_uri'),
        })
  return answerExchange(exchange, request, services)
}

async function answerExchange(
  exchange: Exchange,
  request: Request,
  { streams }: Services,
): Promise<Response> {
  if (exchange && 'issued' in exchange) {
    const { access, refresh, expiresIn, scopes } = exchange.issued
    return secretAnswer({
      access_token: access,
      token_type: 'Bearer',
      expires_in: expiresIn,
      refresh_token: refresh,
      scope: scopes.join(' '),
    })
  }
  if (exchange && 'refused' in exchange)
    throw exchange.refused === 'scope'
      ? new InvalidScopeError('The person has not granted this.')
      : new InvalidTargetError('The person has granted access to another address.')
  if (exchange) {
    if (exchange.wasRedeemed) {
      const address = clientAddress(request)
      audit('app_token_reused', { person: exchange.person, app: exchange.ended, address })
    }
    await streams.endRevoked()
  }
  throw new InvalidGrantError('This is wrong, or it was used, or it is over. Ask the person again.')
}

/** `POST /api/oauth/revoke` (RFC 7009): ends the access of an app, by any of its tokens. An unknown token is no error. */
export async function answerRevocation(request: Request): Promise<Response> {
  const services = await getServices()
  checkStranger(request, services)
  const form = await readForm(request)
  const app = await appOf(request, form, services)
  const ended = await services.apps.revoke(needed(form, 'token'), app.id)
  if (ended) {
    const address = clientAddress(request)
    audit('app_disconnected', { person: ended.person, app: ended.id, by: 'app', address })
    await services.streams.endRevoked()
  }
  return secretAnswer({})
}

/** Whom a request to `/mcp` comes from: by the token of an app, or an API key. */
export async function tokenHolder(request: Request, services: Services): Promise<Viewer> {
  const token = bearerOf(request)
  if (!token?.startsWith(ACCESS_TOKEN)) return keyHolder(request, services)
  const origin = ownOrigin(request.headers, services.env.BETTER_AUTH_URL)
  const holder = origin && (await services.apps.holder(token, resourceAt(origin)))
  if (!holder) {
    checkStranger(request, services)
    throw new UnauthenticatedError('app')
  }
  const { grantId, scopes, expiresAt, ...person } = holder
  return { ...person, credential: { kind: 'app', id: grantId, scopes, expiresAt } }
}

function needed(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name)
  if (!value) throw new InvalidRequestError(`${name} is missing.`)
  return value
}

function knownScopes(text: string | undefined) {
  const scopes = scopesIn(text)
  if (scopes.length === 0) throw new InvalidScopeError('The scopes of this server are read and write.')
  return scopes
}
