import 'server-only'
import { after, connection } from 'next/server'
import { cache } from 'react'
import { ownProviders, providerLabel } from '@/lib/ai'
import { passkeyHost, readViewer, type Viewer } from '@/lib/auth'
import { NotFoundError } from '@/lib/context'
import {
  type CalledChat,
  compare,
  inCalledChat,
  listChats,
  listImports,
  type Ports,
  readChat,
  readNewContext,
} from '@/lib/conversations'
import { type MemberRole, newId } from '@/lib/events'
import { packGraph } from '@/lib/graph'
import type {
  ChatDefaults,
  ChatPage,
  ChatView,
  Comparison,
  ImportReport,
  OfferedModel,
  PackedChatView,
  ProviderKey,
  Remote,
  SharedChatEntry,
  ShareLink,
  ToolServer,
} from '@/lib/protocol'
import { getServices, onBehalfOf } from '@/lib/runtime'
import { shownDefaults } from '../api/chat-defaults'
import { encodeProviderKey } from '../api/provider-keys'
import { toSharedChat } from '../api/remotes/members'
import { toShareLink } from '../api/shares'
import { encodeToolServer } from '../api/tools'
import { repliesStoredSoon } from '../gateway/storing-replies'
import { LONG_CHAT, workLines } from '../http/heavy-work'
import { forPage } from './for-page'

/** The data of the frame around every page. */
export interface Frame {
  /** the first page of the list */
  list: ChatPage
  viewer: Pick<Viewer, 'id' | 'name' | 'guest'> | null
  access: {
    guests: boolean
    services: ('github' | 'google')[]
    demo: boolean
    passkeyHost: string
    /** true when no one signs in at this machine, or would not if there were no account */
    personal: 'on' | 'ended' | 'off'
  }
  models: OfferedModel[]
  defaultModel: string
  /** the person's chosen model for new chats; null without a choice, or when it is no longer offered */
  newChatModel: string | null
  /** the names of the person's other servers */
  remotes: string[]
  /** the chats of others that the person is a member of */
  sharedChats: SharedChatEntry[]
}

// layout, metadata and page of one request share one read
const viewerOfRequest = cache(() => forPage(readViewer()))

export async function readFrame(): Promise<Frame> {
  await connection()
  const [viewer, { ports, models, env, owner, remotes, members }] = await Promise.all([
    viewerOfRequest(),
    forPage(getServices()),
  ])
  const none: ChatPage = { chats: [], next: null }
  const [offered, list, defaults, others, shared] = await forPage(
    viewer
      ? onBehalfOf(viewer.id, () =>
          Promise.all([
            models.of(viewer.id).then((of) => of.models),
            listChats(ports, { ownerId: viewer.id, counted: true }),
            ports.chatDefaults.of(viewer.id),
            remotes.of(viewer.id),
            members.chatsOf(viewer.id),
          ]),
        )
      : Promise.all([models.shared(), none, undefined, [], []]),
  )
  const described = offered.describe()
  const chosen = defaults?.model ?? null
  return {
    list,
    viewer: viewer && { id: viewer.id, name: viewer.name, guest: viewer.guest },
    access: {
      guests: env.RAMIFY_GUESTS === 'on',
      demo: env.RAMIFY_DEMO === 'on',
      services: [
        ...(env.GITHUB_CLIENT_ID ? (['github'] as const) : []),
        ...(env.GOOGLE_CLIENT_ID ? (['google'] as const) : []),
      ],
      passkeyHost: passkeyHost(env),
      personal: viewer?.credential.kind === 'owner' ? 'on' : owner.isPossible ? 'ended' : 'off',
    },
    models: described.map((model) => ({ ...model, providerName: providerLabel(model.provider) })),
    defaultModel: offered.defaultId,
    newChatModel: described.some(({ id }) => id === chosen) ? chosen : null,
    remotes: others.map(({ name }) => name),
    sharedChats: shared.map(toSharedChat),
  }
}

/** The data of the page for models and keys. */
export interface ModelSettings {
  providers: readonly { name: string; label: string }[]
  keys: ProviderKey[]
}

export async function readModelSettings(): Promise<ModelSettings> {
  await connection()
  const [viewer, { providerKeys }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const keys = viewer ? await forPage(onBehalfOf(viewer.id, () => providerKeys.list(viewer.id))) : []
  return { providers: ownProviders, keys: keys.map(encodeProviderKey) }
}

/** The data of the page for imports and exports. */
export async function readDataSettings(): Promise<{ imports: ImportReport[]; limit: number }> {
  await connection()
  const [viewer, { ports, importBytes: limit }] = await Promise.all([
    viewerOfRequest(),
    forPage(getServices()),
  ])
  if (!viewer) return { imports: [], limit }
  const imports = await forPage(onBehalfOf(viewer.id, () => listImports(ports, { ownerId: viewer.id })))
  return { imports, limit }
}

/** The data of the page for servers of tools. */
export async function readToolSettings(): Promise<{ servers: ToolServer[] }> {
  await connection()
  const [viewer, { toolServers }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const servers = viewer ? await forPage(onBehalfOf(viewer.id, () => toolServers.of(viewer.id))) : []
  return { servers: servers.map(encodeToolServer) }
}

/** The data of the page for a person's other servers. */
export async function readRemoteSettings(): Promise<{ remotes: Remote[] }> {
  await connection()
  const [viewer, { remotes }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const stored = viewer ? await forPage(onBehalfOf(viewer.id, () => remotes.of(viewer.id))) : []
  return { remotes: stored }
}

/** The data of the page for defaults of new chats. */
export async function readNewChatSettings(): Promise<{ defaults: ChatDefaults }> {
  await connection()
  const [viewer, { chatDefaults }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const stored = viewer ? await forPage(onBehalfOf(viewer.id, () => chatDefaults.of(viewer.id))) : undefined
  return { defaults: shownDefaults(stored) }
}

/** The data of the page of a person's links. */
export async function readLinks(): Promise<{ shares: ShareLink[] }> {
  await connection()
  const [viewer, { shares }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const links = viewer ? await forPage(onBehalfOf(viewer.id, () => shares.list(viewer.id))) : []
  return { shares: links.map(toShareLink) }
}

/**
 * A chat with one branch in view; null when it does not exist or belongs to another person, which must look the same.
 * With an unknown branch, the chat opens as without one.
 */
export const chatView = cache(async (chatId: string, branch?: string): Promise<PackedChatView | null> => {
  // no id holds NUL, and Postgres takes none
  if (chatId.includes('\0')) return null
  if (branch?.includes('\0')) return chatView(chatId)
  const read = async () => {
    const view = await inCalledChatOfViewer(
      chatId,
      (ports, chat) => readChat(ports, { ...chat, branch: branch || undefined }),
      'reads',
    )
    return view && packed(view)
  }
  try {
    // an agent gets the branch of a reply before it is stored, and a person may open it as soon
    return await read().catch(async (error: unknown) => {
      const viewer = await viewerOfRequest()
      if (!(error instanceof NotFoundError) || !viewer || !branch) throw error
      await forPage(repliesStoredSoon(viewer.id))
      return read()
    })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    return error.what === 'branch' && branch ? chatView(chatId) : null
  }
})

/**
 * Two branches of a chat, by name or id; null when the chat or one of them does not exist or belongs to another
 * person, which must look the same.
 */
export const comparisonView = cache(
  async (chatId: string, left?: string, right?: string): Promise<Comparison | null> => {
    const sides = { left: left || undefined, right: right || undefined }
    try {
      await waitForTurn(chatId)
      return await inCalledChatOfViewer(chatId, (ports, chat) => compare(ports, { ...chat, ...sides }))
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  },
)

/** Has a page that grows with a chat wait in line where that is long: its turn lasts until it is drawn and sent. */
async function waitForTurn(chatId: string): Promise<void> {
  await connection()
  const [viewer, { ports }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  if (!viewer || !(await forPage(ports.reads.isLong(chatId, viewer.id, LONG_CHAT)))) return
  after(await forPage(workLines().heavy.enter(viewer.id)))
}

/**
 * Reads a chat of the viewer; null without a viewer.
 *
 * @param needs the role that is enough in a chat of someone else
 */
async function inCalledChatOfViewer<T>(
  chatId: string,
  read: (ports: Ports, chat: CalledChat) => Promise<T>,
  needs?: MemberRole,
): Promise<T | null> {
  await connection()
  const [viewer, { ports }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  if (!viewer) return null
  const called = { ownerId: viewer.id, chatId }
  return forPage(onBehalfOf(viewer.id, () => inCalledChat(ports, called, (chat) => read(ports, chat), needs)))
}

/** An empty chat under ids of its own. Nothing is stored until its first message is sent. */
export async function newChatView(): Promise<PackedChatView> {
  await connection()
  const [viewer, { ports }] = await Promise.all([viewerOfRequest(), forPage(getServices())])
  const ownerId = viewer?.id ?? null
  const reading = () => readNewContext(ports, ownerId)
  const begins = await forPage(ownerId === null ? reading() : onBehalfOf(ownerId, reading))
  const branchId = newId()
  const branch = {
    id: branchId,
    name: 'main',
    headId: null,
    parentBranchId: null,
    createdAt: Date.now(),
    archivedAt: null,
  }
  return packed({
    graph: {
      chatId: newId(),
      seq: 0,
      title: null,
      activeBranchId: branchId,
      nodes: [],
      lanes: [],
      branches: [branch],
      checkpoints: [],
      runs: [],
    },
    branchId,
    window: { messages: [], start: 0 },
    begins,
  })
}

const packed = (view: ChatView): PackedChatView => ({ ...view, graph: packGraph(view.graph) })
