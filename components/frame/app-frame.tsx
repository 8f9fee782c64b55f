'use client'

import { usePathname, useRouter } from 'next/navigation'
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import { keysOf } from '@/components/actions/action'
import { appActions, palette } from '@/components/actions/on-app'
import { type Api, createApi } from '@/components/app/api'
import {
  type App,
  AppContext,
  type Command,
  type MessagePlace,
  type Tour,
} from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import type { Picked } from '@/components/app/listed'
import { LooseMoveNote } from '@/components/app/move-note'
import { withoutCode } from '@/components/app/new-version'
import {
  authorizePath,
  chatOf,
  chatPath,
  contentId,
  messagePath,
  newChatPath,
  skipLinksId,
} from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { SkipToContent } from '@/components/app/skip-to-content'
import { answerOf, errorToast, undoToast } from '@/components/app/toasts'
import { useKeys } from '@/components/app/use-keys'
import { useChatList } from '@/components/chats/use-chat-list'
import { useNews, useTitleMark } from '@/components/chats/use-news'
import { preloadMarkdown } from '@/components/thread/markdown/deferred-markdown'
import { Sheet } from '@/components/ui/dialog'
import { HintProvider } from '@/components/ui/hint'
import { useStored } from '@/components/ui/stored-value'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useTheme } from '@/components/ui/use-theme'
import type { ChatId } from '@/lib/events'
import type { ChatPage, ChatSummary, SharedChatEntry } from '@/lib/protocol'
import type { DialogsProps, OpenDialog } from './dialogs'
import { NewVersionNote } from './new-version-note'
import { Sidebar } from './sidebar'
import { WorkspaceSkeleton } from './workspace-skeleton'

// nothing is told of before the page can be used
const Toaster = deferred(async () => ({ default: (await import('sonner')).Toaster }), {
  keepsFallback: 'untold',
})

// no page needs them to be read; a dialog that is asked for before they have arrived opens with them
const Dialogs = deferred(async () => ({ default: (await import('./dialogs')).Dialogs }), {
  floats: ({ open, tagging, exporting, deleting, onOpenChange, onTagged, onExported, onKept }) => ({
    open: open !== null || tagging !== null || exporting !== null || deleting !== null,
    onOpenChange() {
      onOpenChange(null)
      onTagged()
      onExported()
      onKept()
    },
  }),
})

interface AppFrameProps extends Pick<App, 'viewer' | 'access' | 'models' | 'actions'> {
  /** the first page of the list of chats */
  list: ChatPage
  defaultModel: string
  /** the person's model for new chats; null where none is set */
  newChatModel: string | null
  /** the names of the person's other servers */
  remotes: readonly string[]
  /** the chats of others that the person is a member of */
  sharedChats: readonly SharedChatEntry[]
  children: ReactNode
}

type Open = OpenDialog | 'sidebar' | null

/** The page around a chat: the list of chats, palette, dialogs, theme and viewer. */
export function AppFrame({
  models,
  access,
  defaultModel,
  newChatModel,
  actions,
  list: firstChats,
  sharedChats,
  children,
  ...initial
}: AppFrameProps) {
  const router = useRouter()
  const pathname = usePathname()
  const { shown: theme } = useTheme()
  // the page is read before anything floats over it
  const isRead = useDeferredValue(true, false)
  const wide = useMediaQuery('(min-width: 1024px)')
  const [viewer, setViewer] = useState(initial.viewer)
  const [api] = useState<Api>(() =>
    createApi({
      signedIn: initial.viewer !== null,
      onSignIn: (id) => setViewer({ id, name: 'Guest', guest: true }),
    }),
  )
  const { forgetChats, removeChats, ...listed } = useChatList(api, viewer?.id ?? null, firstChats)
  const { noteChat, chats } = listed
  const news = useNews({
    viewerId: viewer?.id ?? null,
    chats,
    findChat: listed.findChat,
    openId: chatOf(pathname),
    openChat: (id) => openChat(id),
  })
  useTitleMark(news.all.size > 0 || chats.some(({ waits }) => waits))
  const [wanted, setModel] = useStored('ramify-model', defaultModel)
  const [docked, setDocked] = useStored('ramify-sidebar', 'open')
  const [remotes, noteRemotes] = useState(initial.remotes)
  const [open, setOpen] = useState<Open>(null)
  const [renamingId, setRenamingId] = useState<ChatId | null>(null)
  const [tagging, setTagging] = useState<DialogsProps['tagging']>(null)
  const [exporting, setExporting] = useState<Picked | null>(null)
  const [deleting, setDeleting] = useState<Picked | null>(null)
  const { offer, offered } = useOffers()
  const [commands, setCommands] = useState<readonly Command[]>([])
  const [freshness, setFreshness] = useState(0)

  // not a loading.tsx: it would start the response before the chat is found, and a missing chat could no longer be a 404
  const [opening, startOpening] = useTransition()
  const openChat = (id: string) => {
    setOpen(null)
    preloadMarkdown()
    startOpening(() => router.push(chatPath(id)))
  }

  const { answerFor, answers } = useAnswers()
  const openMessage = (place: MessagePlace) => {
    setOpen(null)
    preloadMarkdown()
    if (!answers(place)) startOpening(() => router.push(messagePath(place)))
  }

  const newChat = () => {
    setOpen(null)
    setFreshness(freshness + 1)
    router.push(newChatPath)
  }

  const { renameChat } = actions
  const retitle = useCallback(
    async (chat: ChatSummary, title: string) => {
      /** The list shows the new title at once, and the old one again when the server refuses. */
      const rename = async (to: string) => {
        noteChat({ id: chat.id, title: to })
        const renamed = await answerOf(renameChat({ chatId: chat.id, title: to }))
        if (!renamed) noteChat({ id: chat.id, title: chat.title })
        return renamed !== null
      }
      const { title: before } = chat
      if ((await rename(title)) && before !== null) undoToast('Renamed the chat', () => void rename(before))
    },
    [noteChat, renameChat],
  )

  const remove = async (picked: Picked) => {
    const here = chatOf(pathname)
    const gone = await removeChats(picked)
    const isGone = 'chats' in picked ? picked.chats.some(({ id }) => id === here) : false
    if (gone && isGone) newChat()
  }

  const [tour, setTour] = useState<Tour | null>(null)
  const endTour = useCallback(() => setTour(null), [])
  const openSample = async () => {
    const made = await answerOf(api.signIn().then(() => actions.createSample()))
    if (!made) return
    // without its history the whole conversation is there at once
    setTour(await loadTour(api, made.chatId).catch(() => null))
    openChat(made.chatId)
    router.refresh()
  }

  const toggleSidebar = () => {
    if (wide) setDocked(docked === 'open' ? 'closed' : 'open')
    else setOpen('sidebar')
  }

  const app: App = {
    api,
    actions,
    viewer,
    access,
    models,
    ...listed,
    removeChats,
    news,
    freshness,
    forgetChat: (id) => forgetChats([id]),
    renamingId,
    renameChat: (chat) => setRenamingId(chat?.id ?? null),
    retitle,
    tagChats: (picked, beside) => setTagging({ picked, beside }),
    exportChats: setExporting,
    deleteChats: setDeleting,
    newChat,
    openSample,
    tour,
    endTour,
    openChat,
    openMessage,
    answerFor,
    openAccount: (way) => setOpen(way === 'in' ? 'sign in' : 'sign up'),
    signOut: () => void signOut(api),
    openSearch: () => setOpen('search'),
    model: newChatModel ?? (models.some(({ id }) => id === wanted) ? wanted : defaultModel),
    setModel,
    defaultModel,
    remotes,
    noteRemotes,
    sharedChats,
    sidebar: { docked: docked === 'open', toggle: toggleSidebar },
    openPalette() {
      // now, while the focus tells what they are about
      setCommands(offered())
      setOpen(open === 'palette' ? null : 'palette')
    },
    openHelp: () => setOpen('help'),
    openSettings(page) {
      setOpen(null)
      router.push(page)
    },
    offer,
  }

  useKeys(keysOf([...appActions, palette], app))
  useContentFocus(pathname)

  return (
    <AppContext value={app}>
      <HintProvider>
        <div id={skipLinksId} className="peer" />
        {/* hidden where the page has skip links of its own */}
        <SkipToContent className="peer-[:not(:empty)]:hidden" onSkip={toContent} />
        <div className="flex h-dvh overflow-hidden">
          {/* a question about access stands alone */}
          {docked === 'open' && pathname !== authorizePath && (
            <aside
              aria-label="Chats"
              className="hidden w-[260px] shrink-0 flex-col border-line border-r bg-surface lg:flex"
            >
              <Sidebar pathname={pathname} />
            </aside>
          )}
          <Sheet open={open === 'sidebar' && !wide} onOpenChange={() => setOpen(null)} title="Chats">
            <Sidebar pathname={pathname} onLeave={() => setOpen(null)} />
          </Sheet>
          <main tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
            <NewVersionNote />
            {app.access.demo && (
              <p className="border-line border-b bg-surface px-4 py-2 text-sm">
                This is a demo: no language model answers, and all you write is deleted an hour after you
                came.
              </p>
            )}
            {opening ? <WorkspaceSkeleton /> : children}
            <LooseMoveNote />
          </main>
        </div>
        {isRead && (
          <Dialogs
            open={open === 'sidebar' ? null : open}
            onOpenChange={setOpen}
            commands={commands}
            chatId={chatOf(pathname)}
            tagging={tagging}
            onTagged={() => setTagging(null)}
            exporting={exporting}
            onExported={() => setExporting(null)}
            deleting={deleting}
            onKept={() => setDeleting(null)}
            onDelete={(picked) => void remove(picked)}
          />
        )}
        {isRead && (
          <Toaster
            theme={theme}
            position="top-center"
            offset={56}
            mobileOffset={{ top: 100, left: 16, right: 16 }}
          />
        )}
      </HintProvider>
    </AppContext>
  )
}

const toContent = () =>
  (document.getElementById(contentId) ?? document.querySelector('main'))?.focus({ preventScroll: true })

/** Gives the focus to the content of a page where it went with the page before. */
function useContentFocus(pathname: string): void {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (document.activeElement === document.body) toContent()
  }, [pathname])
}

async function loadTour(api: Api, chatId: ChatId): Promise<Tour> {
  const { readTour } = await import('@/components/app/read-tour').catch(withoutCode)
  return readTour(api, chatId)
}

async function signOut(api: Api): Promise<void> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  try {
    await api.fetch('/api/auth/sign-out', sent)
    location.assign(newChatPath)
  } catch (error) {
    errorToast(problemOf(error, unreached).detail)
  }
}

/** The commands of the page, in the order in which they were offered. */
function useOffers() {
  const all = useRef(new Set<() => readonly Command[]>())

  const offer = useCallback<App['offer']>((commands) => {
    all.current.add(commands)
    return () => all.current.delete(commands)
  }, [])
  const offered = useCallback(() => [...all.current].flatMap((commands) => commands()), [])

  return { offer, offered }
}

/** The pages that show a chat now: they go to its messages without loading anything. */
function useAnswers() {
  const pages = useRef(new Map<ChatId, (place: MessagePlace) => boolean>())

  const answerFor = useCallback<App['answerFor']>((chatId, open) => {
    const all = pages.current
    all.set(chatId, open)
    return () => {
      if (all.get(chatId) === open) all.delete(chatId)
    }
  }, [])
  /** true when a page went there */
  const answers = useCallback((place: MessagePlace) => pages.current.get(place.chatId)?.(place) ?? false, [])

  return { answerFor, answers }
}
