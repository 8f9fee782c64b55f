import 'server-only'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { after, connection } from 'next/server'
import { cache } from 'react'
import { readViewer } from '@/lib/auth'
import { NotFoundError } from '@/lib/context'
import {
  findInShare,
  findSharedFile,
  readShare,
  readSharedGraph,
  type SharingPorts,
} from '@/lib/conversations'
import type { OpenedShare, SharedView } from '@/lib/protocol'
import { getServices, onBehalfOf, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { fileResponse } from '../api/files'
import { sharingPorts } from '../api/shares'
import { compressedJson } from '../http/compressed-json'
import { workLines } from '../http/heavy-work'
import { problemResponse } from '../http/problem'
import { forPage } from './for-page'
import { isSeenAgain, isView } from './shared-views'

/** Content of a link's page. */
export interface SharedPage {
  view: SharedView
  /** the address of this site */
  origin: string
  /** the reader is signed in, as a guest at least */
  signedIn: boolean
  /** the reader's own chat; null for another person's */
  ownChatId: string | null
}

/**
 * The page of a link; null for every link that opens nothing, for any reason. Metadata and page share one
 * read. It begins and renews no session.
 */
export const sharedPage = cache(
  async (token: string, branch?: string, at?: string, part?: number): Promise<SharedPage | null> => {
    await connection()
    const [services, sent] = await Promise.all([forPage(getServices()), headers()])
    const address = clientAddress({ headers: sent })
    try {
      const { share, view } = await forPage(
        onBehalfOf(address, () => readShare(portsOf(services), token, { branch, at, part })),
      )
      const viewer = await forPage(readViewer())
      const isOwner = viewer?.id === share.ownerId
      if (!isOwner) countView(services, share, sent)
      return {
        view,
        origin: ownOrigin(sent, services.env.BETTER_AUTH_URL) ?? '',
        signedIn: viewer !== null,
        ownChatId: isOwner ? share.chatId : null,
      }
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  },
)

/** Counts a view once the answer is sent. */
function countView({ shares }: Services, share: OpenedShare, sent: Headers): void {
  if (!isView(sent) || isSeenAgain(share.id, clientAddress({ headers: sent }))) return
  after(() => shares.countView(share))
}

const portsOf = (services: Services): SharingPorts => sharingPorts(services, services.ports)

interface OfLink<Params extends object = object> {
  params: Promise<{ token: string } & Params>
}

/** `GET /s/{token}/graph`: the graph of a link that opens it. */
export const sharedGraph = (request: Request, { params }: OfLink): Promise<Response> =>
  forReaders(request, async (services) => {
    const { token } = await params
    return inLine(request, async () =>
      compressedJson(request, await readSharedGraph(portsOf(services), token)),
    )
  })

/** Puts work that grows with a link's content into the line of heavy requests, for each address. */
const inLine = <Result>(request: Request, work: () => Promise<Result>): Promise<Result> =>
  workLines().heavy.run(clientAddress(request), work, request.signal)

/** `GET /s/{token}/find?words=&branch=`: finds words in a link's content. */
export const sharedFinds = (request: Request, { params }: OfLink): Promise<Response> =>
  forReaders(request, async (services) => {
    const { token } = await params
    const query = new URL(request.url).searchParams
    const asked = {
      words: query.get('words') ?? '',
      branch: query.get('branch') ?? undefined,
      signal: request.signal,
    }
    const found = await inLine(request, () => findInShare(portsOf(services), token, asked))
    return compressedJson(request, found)
  })

/** `GET /s/{token}/files/{id}`: a file of a message that the link opens. */
export const sharedFile = (request: Request, { params }: OfLink<{ id: string }>): Promise<Response> =>
  forReaders(request, async (services) => {
    const { token, id } = await params
    return fileResponse(request, await findSharedFile(portsOf(services), token, id), services.files)
  })

/** Answers readers of a link; no search engine lists the answer, and it names no link to other sites. */
export async function forReaders(
  request: Request,
  answer: (services: Services) => Promise<Response>,
): Promise<Response> {
  const answered = await onBehalfOf(clientAddress(request), async () => answer(await getServices())).catch(
    problemResponse,
  )
  answered.headers.set('x-robots-tag', 'noindex')
  answered.headers.set('referrer-policy', 'no-referrer')
  return answered
}

/**
 * Metadata of a link's page for other sites and search engines: none for a link that opens nothing, and no
 * more than its readers see. Search engines list it only when its owner has chosen that.
 */
export function metadataOfShare(token: string, page: SharedPage | null): Metadata {
  if (!page) return { title: 'This link opens nothing', robots: { index: false, follow: false } }
  const { view, origin } = page
  const title = view.title ?? 'A conversation'
  const count = view.total === 1 ? 'One message' : `${view.total.toLocaleString('en')} messages`
  const description = `${count}${view.sharedBy === null ? '' : `, shared by ${view.sharedBy}`}. Read it, or continue in a copy of your own.`
  const image = { url: `${origin}/s/${token}/opengraph-image`, width: 1200, height: 630, alt: title }
  return {
    title,
    description,
    referrer: 'no-referrer',
    robots: view.indexed ? { index: true, follow: false } : { index: false, follow: false },
    openGraph: { type: 'article', siteName: 'Ramify', title, description, images: [image] },
    twitter: { card: 'summary_large_image', title, description, images: [image] },
  }
}
