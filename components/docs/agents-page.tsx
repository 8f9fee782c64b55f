import type { ReactNode } from 'react'
import { contentId } from '@/components/app/paths'
import { SkipToContent } from '@/components/app/skip-to-content'
import {
  type AgentAddress,
  librarySnippets,
  mcpSnippets,
  programSnippets,
  type Snippet,
} from './agent-snippets'
import { Code } from './code'
import { Inline } from './prose'

/** A tool of the MCP server, as the page lists it. */
export interface ListedTool {
  name: string
  description: string
  writes: boolean
}

const link = 'text-accent underline underline-offset-4'

/** Setup of agents and other programs that use this server, line by line. It needs no script. */
export function AgentsPage({
  address,
  tools,
}: {
  address: AgentAddress & { keyless: boolean }
  tools: readonly ListedTool[]
}) {
  const { origin, keyless } = address
  const sections = [
    { id: 'libraries', title: 'Libraries', snippets: librarySnippets(address) },
    { id: 'programs', title: 'Programs', snippets: programSnippets(address) },
    { id: 'mcp', title: 'MCP', snippets: mcpSnippets(address) },
  ]
  return (
    <div className="h-dvh overflow-y-auto">
      <SkipToContent />
      <main
        id={contentId}
        tabIndex={-1}
        className="outline-none mx-auto max-w-[60rem] px-5 pt-10 pb-24 lg:px-8"
      >
        <p className="text-faint text-sm">
          <a href="/" className="hover:underline">
            Ramify
          </a>
        </p>
        <h1 className="font-medium text-2xl">Agents</h1>
        <div className="mt-4 flex max-w-[68ch] flex-col gap-3 text-lg">
          <p>
            Point a client at this server: nothing in it changes but its base URL and its key. Each
            conversation becomes a chat, each retry and each sub-agent a branch, and you go on from any
            message in the browser.
          </p>
          <p>
            You need an{' '}
            <a href="/settings/keys" className={link}>
              API key
            </a>
            . The lines below read it from <Mono>RAMIFY_API_KEY</Mono>. A key that only reads can look things
            up, and sends nothing. A client of MCP can do without a key:{' '}
            {keyless ? (
              'on this computer it needs the address alone, because nobody signs in here'
            ) : (
              <>
                it{' '}
                <a href="#mcp-oauth" className={link}>
                  asks you in the browser
                </a>
              </>
            )}
            . For your own programs there is also{' '}
            <a href="/docs/api" className={link}>
              the API
            </a>
            .
          </p>
        </div>
        <Facts
          label="What to set"
          facts={[
            ['OpenAI base URL', <Mono key="openai">{origin}/v1</Mono>],
            ['Anthropic base URL', <Mono key="anthropic">{origin}</Mono>],
            ['MCP server', <Mono key="mcp">{origin}/mcp</Mono>],
            [
              'Model',
              <span key="model">
                <Mono>{address.model}</Mono>, or another that <Mono>GET /v1/models</Mono> lists
              </span>,
            ],
          ]}
        />
        <nav aria-label="Contents" className="mt-8 flex flex-wrap gap-x-5 gap-y-2 text-sm">
          {sections
            .flatMap(({ snippets }) => snippets)
            .map(({ id, client }) => (
              <a key={id} href={`#${id}`} className="text-muted hover:text-ink hover:underline">
                {id.startsWith('mcp-') ? `${client} (MCP)` : client}
              </a>
            ))}
        </nav>
        {sections.map(({ id, title, snippets }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} className="mt-14 scroll-mt-6">
            <h2 id={`${id}-title`} className="font-semibold text-xl">
              {title}
            </h2>
            {id === 'mcp' && <Tools tools={tools} />}
            {snippets.map((snippet) => (
              <Client key={snippet.id} snippet={snippet} />
            ))}
          </section>
        ))}
        <section id="places" aria-labelledby="places-title" className="mt-14 scroll-mt-6">
          <h2 id="places-title" className="font-semibold text-xl">
            Where a call is stored
          </h2>
          <p className="mt-1 max-w-[68ch] text-lg text-muted">
            The longest stored beginning of what a client sends is found, and only what is new is stored.
            Every answer says where. A request that sends the first three headers is placed there: the model
            reads what stands there, and what is new after it.
          </p>
          <Facts
            label="Headers"
            facts={[
              ['x-ramify-chat', 'The chat'],
              ['x-ramify-branch', 'The branch, by name or id'],
              [
                'x-ramify-message',
                'In an answer, the message that the reply is stored as; in a request, the one that it follows',
              ],
              [
                'x-ramify-key',
                'The key of Ramify, where the client’s own credential goes on to the provider. The credential is not stored',
              ],
            ]}
            mono
          />
        </section>
        <section id="steering" aria-labelledby="steering-title" className="mt-14 scroll-mt-6">
          <h2 id="steering-title" className="font-semibold text-xl">
            Moving an agent
          </h2>
          <p className="mt-1 max-w-[68ch] text-lg text-muted">
            Open the chat of an agent, choose a message that was still right, and “Steer the agent here…”. Its
            next call goes on from there, with your words if you write some. The agent itself sends what it
            would have sent; the model is told that you moved the conversation.
          </p>
        </section>
      </main>
    </div>
  )
}

function Client({ snippet: { id, client, note, label, text } }: { snippet: Snippet }) {
  return (
    <article id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 py-5">
      <h3 id={`${id}-title`} className="font-semibold text-lg">
        <a href={`#${id}`} className="hover:underline hover:underline-offset-4">
          {client}
        </a>
      </h3>
      {note && (
        <p className="mt-1 mb-2 max-w-[68ch] text-muted">
          <Inline text={note} />
        </p>
      )}
      <Code label={label} text={text} copiedFor={id.startsWith('mcp-') ? `${client}, MCP` : client} />
    </article>
  )
}

function Tools({ tools }: { tools: readonly ListedTool[] }) {
  return (
    <>
      <p className="mt-1 max-w-[68ch] text-lg text-muted">
        An agent with these tools looks up what was tried before, forks before it tries something, goes back,
        and brings back what it found. Chats and branches are resources too:{' '}
        <Inline text="`ramify://chats/{id}`" /> and <Inline text="`ramify://chats/{id}/branches/{name}`" />.
      </p>
      <Facts
        label="Tools"
        mono
        facts={tools.map(({ name, description, writes }) => [
          name,
          <span key={name}>
            {description} {writes && <span className="text-faint">Needs the scope write.</span>}
          </span>,
        ])}
      />
    </>
  )
}

interface FactsProps {
  label: string
  facts: readonly (readonly [string, ReactNode])[]
  /** the terms are names in code */
  mono?: boolean
}

function Facts({ label, facts, mono = false }: FactsProps) {
  return (
    <section aria-label={label}>
      <dl className="my-6 divide-y divide-line border-line border-y">
        {facts.map(([term, said]) => (
          <div key={term} className="grid gap-x-4 py-2 sm:grid-cols-[12.5rem_minmax(0,1fr)]">
            <dt className={mono ? 'font-mono text-sm' : 'text-sm'}>{term}</dt>
            <dd className="text-muted text-sm [overflow-wrap:anywhere]">{said}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Mono = ({ children }: { children: ReactNode }) => (
  <code className="font-mono text-[0.9em] text-ink [overflow-wrap:anywhere]">{children}</code>
)
