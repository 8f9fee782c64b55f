import { ChevronLeft, ChevronRight, GitFork, ListTree } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { LaneDot, LanesProvider } from '@/components/app/lane'
import { chatPath, newChatPath } from '@/components/app/paths'
import { plainPreview } from '@/components/app/plain-preview'
import { wordsOf } from '@/components/session/messages'
import { cn } from '@/components/ui/cn'
import type { SharedMessage as Shared, SharedView } from '@/lib/protocol'
import { ContinueButton } from './continue-button'
import { SharedFrame } from './shared-frame'
import { SharedMessage } from './shared-message'
import { messageAnchor, sharedPath } from './shared-path'
import { sharedRows } from './shared-rows'

interface SharedPageProps {
  token: string
  view: SharedView
  /** the reader is signed in, as a guest at least */
  signedIn: boolean
  /** the reader's own chat; null for everybody else's */
  ownChatId: string | null
}

/** The page of a link, to be read: made on the server, and readable as it comes. */
export function SharedPage({ token, view, signedIn, ownChatId }: SharedPageProps) {
  const { title, messages, graph, part, parts, follows } = view
  const questions = messages.filter(({ role, note }) => role === 'user' && !note)
  const isLast = part === parts
  const continues = <ContinueButton token={token} signedIn={signedIn} />
  return (
    <LanesProvider lanes={graph?.lanes ?? []}>
      <SharedFrame
        token={token}
        signedIn={signedIn}
        graph={graph && { branchId: graph.branchId, atId: graph.atId }}
        page={`${part} ${messages[0]?.id} ${messages.at(-1)?.id}`}
        brand={<Brand />}
        continues={continues}
        outline={
          questions.length > 1 && (
            <nav aria-label="In this chat" className="sticky top-0 px-4 pt-10 text-sm">
              <p className="px-2 pb-2 font-medium text-faint text-xs">In this chat</p>
              <Outline questions={questions} />
            </nav>
          )
        }
      >
        <header className="flex flex-col gap-2 pb-6">
          <h1 dir="auto" className="font-semibold text-2xl [overflow-wrap:anywhere]">
            {title ?? 'A conversation'}
          </h1>
          <Facts view={view} />
          {ownChatId !== null && (
            <p className="text-sm">
              This is your own chat, as others read it.{' '}
              <Link href={chatPath(ownChatId)} className={link}>
                Open the chat
              </Link>
            </p>
          )}
          {graph && graph.branches.length > 1 && <Branches token={token} branches={graph.branches} />}
          {questions.length > 1 && (
            <details className="rounded-lg border border-line xl:hidden">
              <summary className="flex h-9 cursor-pointer items-center gap-2 px-3 text-muted text-sm hover:text-ink touch:h-11">
                <ListTree size={15} aria-hidden />
                In this chat
              </summary>
              <div className="border-line border-t p-2 text-sm">
                <Outline questions={questions} />
              </div>
            </details>
          )}
        </header>
        <h2 className="sr-only">Messages</h2>
        {part > 1 && <Parts token={token} view={view} />}
        <div id="shared-thread" data-part={part} className="flex flex-col gap-6">
          {sharedRows(view).map((row) => (
            <SharedMessage key={row.message.id} {...row} person={view.sharedBy ?? 'Person'} />
          ))}
          {messages.length === 0 && <p className="text-muted">There is nothing to read here yet.</p>}
        </div>
        {parts > 1 && <Parts token={token} view={view} />}
        {isLast && (
          <section
            aria-label="The end"
            className="mt-10 flex flex-col items-start gap-3 rounded-xl border border-line bg-surface p-5"
          >
            <p className="font-medium">
              {follows ? 'This link follows the chat' : 'This is where the link ends'}
            </p>
            <p className="max-w-prose text-muted text-sm">
              {follows && 'What is said there later can be read here. '}
              Your own copy holds {graph ? 'every branch of it' : 'these messages'}, and you can go on from
              any of them. Its owner sees nothing of it.
            </p>
            {continues}
          </section>
        )}
      </SharedFrame>
    </LanesProvider>
  )
}

const link = 'text-accent underline underline-offset-4'

function Brand() {
  return (
    <Link href={newChatPath} className="flex h-8 items-center gap-2 rounded-md font-semibold touch:h-11">
      <GitFork size={17} aria-hidden className="rotate-180 text-accent" />
      Ramify
    </Link>
  )
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function Facts({ view }: { view: SharedView }) {
  const { sharedBy, createdAt, total, follows, expiresAt } = view
  const facts: ReactNode[] = [
    sharedBy === null ? (
      <>Shared on {date.format(createdAt)}</>
    ) : (
      <>
        Shared by <bdi className="text-ink">{sharedBy}</bdi> on {date.format(createdAt)}
      </>
    ),
    total === 1 ? 'one message' : `${total.toLocaleString('en')} messages`,
    follows ? 'follows the chat' : 'as it was then',
    expiresAt !== null && <>until {date.format(expiresAt)}</>,
  ]
  return (
    <p className="flex flex-wrap gap-x-1.5 text-muted text-sm">
      {facts
        .filter((fact) => fact !== false)
        .map((fact, at, { length }) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fact is its place
          <span key={at}>
            {fact}
            {/* at the end of a line the dot stays with the fact before it */}
            {at < length - 1 && <span aria-hidden>&nbsp;·</span>}
          </span>
        ))}
    </p>
  )
}

/** Branches shown at once; the others are folded. */
const few = 8

function Branches({
  token,
  branches,
}: {
  token: string
  branches: NonNullable<SharedView['graph']>['branches']
}) {
  const chip = ({ id, title, isHere, lane, length }: (typeof branches)[number]) => (
    <li key={id} className="min-w-0">
      <Link
        href={sharedPath(token, { branch: id })}
        prefetch={false}
        aria-current={isHere ? 'true' : undefined}
        className={cn(
          'flex h-7 min-w-0 max-w-64 items-center gap-1.5 rounded-md border px-2 text-xs transition-colors touch:h-11',
          isHere
            ? 'border-accent bg-accent-soft font-medium text-ink'
            : 'border-line text-muted hover:border-line-strong hover:text-ink',
        )}
      >
        <LaneDot lane={lane} />
        <bdi className="truncate">{title}</bdi>
        <span className="sr-only">, messages:</span>
        <span className="text-faint">{length}</span>
      </Link>
    </li>
  )
  const here = branches.filter(({ isHere }, at) => isHere || at < few)
  const others = branches.filter((branch) => !here.includes(branch))
  return (
    <nav aria-label="Branches" className="flex flex-col gap-2 pt-1">
      <ul className="flex flex-wrap gap-1.5">{here.map(chip)}</ul>
      {others.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-faint text-xs leading-6 hover:text-ink touch:leading-[44px]">
            {others.length === 1 ? 'One more branch' : `${others.length} more branches`}
          </summary>
          <ul className="flex flex-wrap gap-1.5 pt-1">{others.map(chip)}</ul>
        </details>
      )}
    </nav>
  )
}

/** Characters of a question in the list of them. */
const shortWords = 90

function Outline({ questions }: { questions: readonly Shared[] }) {
  return (
    <ol className="flex flex-col">
      {questions.map((message) => (
        <li key={message.id}>
          <a
            href={`#${encodeURIComponent(messageAnchor(message.id))}`}
            className="block truncate rounded-md px-2 py-1 text-muted hover:bg-ink/6 hover:text-ink touch:py-3"
          >
            <bdi>{plainPreview(wordsOf(message).trim().slice(0, shortWords)) || 'A file'}</bdi>
          </a>
        </li>
      ))}
    </ol>
  )
}

/** The way to the messages before and after those on the page. */
function Parts({ token, view }: { token: string; view: SharedView }) {
  const { part, parts, start, total, messages, graph } = view
  const branch = graph && !graph.branches.every(({ isHere }) => !isHere) ? graph.branchId : undefined
  const to = (other: number) => sharedPath(token, { branch, part: other })
  const step =
    'flex h-8 items-center gap-1 rounded-md border border-line px-2 text-sm hover:border-line-strong touch:h-11'
  return (
    <nav aria-label="Parts" className="flex flex-wrap items-center justify-between gap-2 py-4">
      {part > 1 ? (
        <Link href={to(part - 1)} prefetch={false} className={step}>
          <ChevronLeft size={15} aria-hidden />
          Earlier
        </Link>
      ) : (
        <span />
      )}
      <p className="text-muted text-sm">
        {start + 1}–{Math.max(start + 1, start + messages.length)} of {total.toLocaleString('en')}
      </p>
      {part < parts ? (
        <Link href={to(part + 1)} prefetch={false} className={step}>
          Later
          <ChevronRight size={15} aria-hidden />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
