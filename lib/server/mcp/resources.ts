import 'server-only'
import {
  ErrorCode,
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import * as useCases from '@/lib/conversations'
import { logError, onBehalfOf } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { admitUse } from '../http/admit'
import { toProblem } from '../http/problem'
import { noteRefusal } from '../http/refused-access'
import { branchText, readBranch, readOutline } from './chat-reading'
import { chatUri } from './fields'
import { type McpCall, portsOf } from './tool'

/** Chats of a page, and messages of a branch. */
const [CHATS, MESSAGES] = [50, 50]
/** The protocol's code for a resource that is not there. */
const MISSING = -32002

export const resourceTemplates: ResourceTemplate[] = [
  {
    name: 'chat',
    title: 'A chat',
    uriTemplate: 'ramify://chats/{id}',
    description: 'The branches and checkpoints of a chat, as JSON. cursor is that of the page before.',
    mimeType: 'application/json',
  },
  {
    name: 'branch',
    title: 'A branch',
    uriTemplate: 'ramify://chats/{id}/branches/{name}{?cursor}',
    description: 'The last messages of a branch as text; with the cursor that it names, those before them.',
    mimeType: 'text/markdown',
  },
]

/** A page of the person's chats as resources. */
export const listResources = (call: McpCall, cursor: string | undefined): Promise<ListResourcesResult> =>
  refusing(call, undefined, async () => {
    const ownerId = call.viewer.id
    const { chats, next } = await useCases.listChats(portsOf('read', call), {
      ownerId,
      limit: CHATS,
      ...(cursor !== undefined && { cursor }),
    })
    return {
      resources: chats.map(({ id, title, messageCount, branchCount, updatedAt }) => ({
        uri: chatUri(id),
        name: id,
        title: title ?? 'Untitled',
        mimeType: 'application/json',
        description: `${messageCount} messages on ${branchCount} branches`,
        annotations: { lastModified: new Date(updatedAt).toISOString() },
      })),
      ...(next !== null && { nextCursor: next }),
    }
  })

/** A chat, or a branch of one. */
export const readResource = (call: McpCall, uri: string): Promise<ReadResourceResult> =>
  refusing(call, uri, async () => {
    const named = nameIn(uri)
    if (!named) throw missing(uri)
    const { request, services, viewer } = call
    const ports = portsOf('read', call)
    const asked = { ownerId: viewer.id, chatId: named.chat, cursor: named.cursor }
    if (named.branch === undefined) {
      const outline = await readOutline(ports, asked)
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(outline) }] }
    }
    const origin = ownOrigin(request.headers, services.env.BETTER_AUTH_URL) ?? ''
    const page = await readBranch(ports, {
      ...asked,
      branch: named.branch,
      limit: MESSAGES,
      pageUrl: (path: string) => `${origin}${path}`,
    })
    const before = page.next_cursor ? `\n\nEarlier messages: ${page.uri}?cursor=${page.next_cursor}` : ''
    return { contents: [{ uri, mimeType: 'text/markdown', text: branchText(page) + before }] }
  })

/** The chat and branch that an address names; undefined for any other address. */
export function nameIn(uri: string): { chat: string; branch?: string; cursor?: string } | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== 'ramify:' || url.host !== 'chats') return undefined
  const [, id, middle, name, ...more] = url.pathname.split('/').map(decoded)
  const isBranch = middle === 'branches' && name && more.length === 0
  if (!id || !(middle === undefined || isBranch)) return undefined
  const cursor = url.searchParams.get('cursor')
  return { chat: id, ...(isBranch && { branch: name }), ...(cursor !== null && { cursor }) }
}

/** A decoded part of a path; empty when it is not percent-encoded UTF-8 or contains NUL. */
function decoded(part: string): string {
  try {
    const name = decodeURIComponent(part)
    return name.includes('\0') ? '' : name
  } catch {
    return ''
  }
}

const missing = (uri: string) => new McpError(MISSING, 'Resource not found', { uri })

/** Reads for a person; a refusal becomes an error of the protocol in the same words. */
async function refusing<Result>(
  call: McpCall,
  uri: string | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    admitUse(call.viewer, 'read', call.services)
    return await onBehalfOf(call.viewer.id, read)
  } catch (error) {
    if (error instanceof McpError) throw error
    noteRefusal(error, call.request)
    const { status, code, detail } = toProblem(error)
    if (status === 404 && uri !== undefined) throw missing(uri)
    if (status === 500) logError('mcp', error)
    throw new McpError(status < 500 ? ErrorCode.InvalidParams : ErrorCode.InternalError, detail, { code })
  }
}
