import 'server-only'
import { z } from 'zod'
import { connectedApp } from '@/lib/protocol/account'
import { named } from '@/lib/protocol/fields'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { inOAuth } from '../oauth/answers'
import { registerApp } from '../oauth/apps'
import { letIn } from '../oauth/consent'
import { placeOf } from '../oauth/redirect-uris'
import { answerRevocation, answerToken } from '../oauth/tokens'
import { defineOperation, type Operation } from './operation'

const byApps = {
  method: 'post',
  tag: 'Access',
  asks: 'app',
  refusesIn: 'oauth',
  openToPages: true,
} as const
const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'
const callback = 'http://127.0.0.1:33418/callback'
const text = z.string()

const clientName = text.optional().meta({ description: 'What the app calls itself' })
const redirectUris = z.array(text).min(1).max(10).meta({
  description:
    'Where codes may be sent: https, http on the same machine, or a scheme that the app has claimed, like `com.example.app` (those of Cursor, VS Code, Windsurf and Warp are known)',
})
const authMethod = z.enum(['none', 'client_secret_basic', 'client_secret_post'])

export const registerClient: Operation = {
  ...byApps,
  id: 'registerClient',
  path: '/api/oauth/register',
  asks: 'anyone',
  summary: 'Register app (OAuth)',
  description:
    'Dynamic client registration (RFC 7591), as clients of MCP do by themselves. It gives no right: a person lets the app in on `/oauth/authorize`. 20 in an hour from one address (429). An app that nobody lets in is forgotten after three days.',
  input: {
    body: named(
      'RegisterClientRequest',
      z.looseObject({
        redirect_uris: redirectUris,
        client_name: clientName,
        token_endpoint_auth_method: authMethod.optional(),
      }),
    ),
  },
  example: { client_name: 'My agent', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
  output: {
    status: 201,
    description: 'The app. `client_secret` is shown only here.',
    schema: named(
      'RegisteredClient',
      z.object({
        client_id: text,
        client_id_issued_at: z.int(),
        client_secret: text.optional(),
        client_secret_expires_at: z.int().optional(),
        client_name: text,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: authMethod,
        grant_types: z.array(text),
        response_types: z.array(text),
      }),
    ),
  },
  handle: inOAuth(registerApp),
}

export const issueTokens: Operation = {
  ...byApps,
  id: 'issueTokens',
  path: '/api/oauth/token',
  takes: 'form',
  summary: 'Get tokens (OAuth)',
  description:
    'Exchanges a code, which is good for a minute and once, or a refresh token, which is good for 30 days and once. The access token is good for an hour, at `/mcp` alone. A code or a refresh token that comes a second time ends all the access that came of it.',
  input: {
    body: named(
      'TokenRequest',
      z.looseObject({
        grant_type: z.enum(['authorization_code', 'refresh_token']),
        client_id: text.optional(),
        client_secret: text.optional(),
        code: text.optional(),
        code_verifier: text.optional(),
        redirect_uri: text.optional(),
        refresh_token: text.optional(),
        resource: text.optional(),
        scope: text.optional(),
      }),
    ),
  },
  example: { grant_type: 'refresh_token', client_id: exampleId, refresh_token: 'rr_…' },
  output: {
    description: 'The tokens.',
    schema: named(
      'Tokens',
      z.object({
        access_token: text,
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        refresh_token: text,
        scope: text,
      }),
    ),
  },
  handle: inOAuth(answerToken),
}

export const revokeTokens: Operation = {
  ...byApps,
  id: 'revokeTokens',
  path: '/api/oauth/revoke',
  takes: 'form',
  summary: 'Revoke tokens (OAuth)',
  description:
    'Ends the access that a token belongs to, with all its tokens and streams (RFC 7009). An unknown token is no error.',
  input: {
    body: named(
      'RevocationRequest',
      z.looseObject({ token: text, client_id: text.optional(), client_secret: text.optional() }),
    ),
  },
  example: { token: 'rr_…', client_id: exampleId },
  output: { description: 'It is over, if it was not before.', schema: z.object({}) },
  handle: inOAuth(answerRevocation),
}

const scopes = z
  .array(z.enum(['read', 'write']))
  .min(1)
  .max(2)

export const connectApp = defineOperation({
  id: 'connectApp',
  method: 'post',
  path: '/api/oauth/grants',
  tag: 'Access',
  asks: 'session',
  summary: 'Connect app',
  description:
    'What the button of `/oauth/authorize` does: a person with an account lets an app in, with what it has asked for or less.',
  input: {
    body: named(
      'ConnectAppRequest',
      z.strictObject({
        query: z.string().max(8000).meta({ description: 'The query of `/oauth/authorize`' }),
        person: z.string().max(200).meta({ description: 'Whom the page has shown' }),
        scopes,
      }),
    ),
  },
  example: { query: `response_type=code&client_id=${exampleId}`, person: exampleId, scopes: ['read'] },
  output: {
    status: 201,
    description: 'The address that tells the app, with a code.',
    schema: z.object({ redirect_to: text }),
  },
  refusals: {
    too_many_apps: 'There are too many. Disconnect one you do not need.',
    other_person: 'Another person has signed in meanwhile.',
    gone: 'The app is not registered any more.',
  },
  use: async ({ request, viewer, services, body }) => ({
    redirect_to: await letIn(body, { request, viewer, services }),
  }),
})

const iso = (ms: number): string => new Date(ms).toISOString()

export const listApps = defineOperation({
  id: 'listApps',
  method: 'get',
  path: '/api/oauth/grants',
  tag: 'Access',
  asks: 'session',
  summary: 'List connected apps',
  output: {
    description: 'The apps that you have let in, newest first.',
    schema: named('ConnectedAppList', z.object({ apps: z.array(connectedApp) })),
  },
  async use({ ownerId, services: { apps } }) {
    const connected = await apps.list(ownerId)
    return {
      apps: connected.map(({ id, name, redirectUri, scopes: granted, createdAt, lastUsedAt }) => ({
        id,
        name,
        place: placeOf(redirectUri),
        scopes: granted,
        connected_at: iso(createdAt),
        last_used_at: lastUsedAt === null ? null : iso(lastUsedAt),
      })),
    }
  },
})

export const disconnectApp = defineOperation({
  id: 'disconnectApp',
  method: 'delete',
  path: '/api/oauth/grants/{id}',
  tag: 'Access',
  asks: 'session',
  names: 'App',
  summary: 'Disconnect app',
  input: { params: z.object({ id: z.string().meta({ description: 'The app, as the list names it' }) }) },
  output: { status: 204, description: 'Its tokens are no longer valid. Its streams end within a second.' },
  async use({ request, ownerId, params, services: { apps, streams } }) {
    await apps.end(ownerId, params.id)
    const address = clientAddress(request)
    audit('app_disconnected', { person: ownerId, app: params.id, by: 'person', address })
    await streams.endRevoked()
    return undefined
  },
})
