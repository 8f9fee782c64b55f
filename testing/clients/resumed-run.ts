import { execFileSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { repoRoot } from '@/testing/runner/repo-root'
import { ASKED, type Client, type Way } from './clients'
import { runClient } from './run-client'
import type { Recorded, ScriptedProvider } from './scripted-provider'

type Fields = Readonly<Record<string, unknown>>

const STEPS = 6
const WORDS = 'Go on from here.'
/** The end of the session, and a message in its middle. */
const PLACES = ['HEAD', 'HEAD~2']

/**
 * Runs a client, brings its session into Ramify, writes the branch down to a message as a session of the client in another home,
 * and has the client go on from there. What is told is wrong: anything that its request says beside that branch and the new words.
 */
export async function resumedFaults(
  client: Client,
  { provider, place, way, bins }: { provider: ScriptedProvider; place: string; way: Way; bins: string },
): Promise<string[]> {
  const { resume } = client
  if (!resume) return []
  const { steps } = client.job(`${way.home}/work`)
  const job = { steps: { main: (steps.main ?? []).slice(-STEPS) } }
  // each reply has an id of its own
  provider.begin(job, async () => undefined)
  const ends = (to: Way) => [client.commands(to)[0] ?? [], client.commands(to).at(-1) ?? []]
  const begun = await runClient({ ...client, commands: ends }, way, bins)
  const last = lastAsked(provider)
  if (!last || begun.codes.some((code) => code !== 0))
    return [`ends with ${begun.codes}: ${begun.output.slice(-500)}`]
  const whole = [...saidIn(last), 'assistant: Done with main.']

  const data = path.join(place, 'resumed-data')
  const ramify = (home: string, ...words: string[]): string =>
    execFileSync(process.execPath, [path.join(repoRoot, 'lib/cli/ramify.mjs'), ...words], {
      cwd: path.join(place, 'resumed/work'),
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        HOME: home,
        // the chat that was brought in is the current one in every home
        XDG_STATE_HOME: path.join(place, 'state'),
        RAMIFY_DATA_DIR: data,
        RAMIFY_LOCAL_MODELS: 'off',
      },
      encoding: 'utf8',
    })
  const home = path.join(place, 'resumed')
  await mkdir(path.join(home, 'work'), { recursive: true })
  ramify(way.home, 'import', '--agents', '--all', '--client', resume.format)

  const faults: string[] = []
  for (const ref of PLACES) {
    await mkdir(path.join(home, 'work'), { recursive: true })
    const { file, session_id } = JSON.parse(
      ramify(home, 'export', '--json', '-f', resume.format, '--resume', ref),
    )
    const session = await readFile(file, 'utf8')
    provider.begin({ steps: {} })
    const ran = await runClient(
      {
        ...client,
        files: (to) => ({ ...client.files?.(to), [path.relative(home, file)]: session }),
        commands: (to) => [resume.command(to, session_id, WORDS)],
      },
      { ...way, home },
      bins,
    )
    const asked = lastAsked(provider)
    if (!asked) {
      faults.push(`asks nothing from ${ref}: ends with ${ran.codes}: ${ran.output.slice(-500)}`)
      continue
    }
    const said = saidIn(asked)
    const branch = ref === 'HEAD' ? whole : whole.slice(0, said.length - 1)
    const expected = [...branch, `user: ${WORDS}`]
    if (ref !== 'HEAD' && (branch.length === 0 || branch.length >= whole.length))
      faults.push(`from ${ref} it says ${branch.length} of ${whole.length} things`)
    if (!isDeepStrictEqual(said, expected)) {
      const at = said.findIndex((line, index) => line !== expected[index])
      faults.push(
        `from ${ref} says “${said[at]?.slice(0, 200)}” where “${expected[at]?.slice(0, 200)}” is expected`,
      )
    }
  }
  return faults
}

/** The last request of the conversation; a title is asked for without tools. */
const lastAsked = (provider: ScriptedProvider): Recorded | undefined =>
  provider.requests().findLast(({ body }) => {
    const text = JSON.stringify(body)
    return text.includes(ASKED) && /"(?:tools|additional_tools)"/.test(text)
  })

/** What a request says, thing by thing, in any of the three protocols: without what the client itself tells the model. */
function saidIn({ body }: Recorded): string[] {
  const { messages, input } = body as { messages?: Fields[]; input?: Fields[] }
  return (messages ?? input ?? []).flatMap((item) => {
    const type = String(item.type ?? '')
    if (/_call_output$/.test(type) || item.role === 'tool')
      return [`result: ${textOf(item.output ?? item.content)}`]
    if (/_call$/.test(type)) return [callOf(item.name, item.arguments ?? item.input)]
    if (item.role !== 'user' && item.role !== 'assistant') return []
    const blocks =
      typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : listOf(item.content)
    const said = blocks.flatMap((block) => {
      if (block.type === 'tool_use') return [callOf(block.name, block.input)]
      if (block.type === 'tool_result') return [`result: ${textOf(block.content)}`]
      const text = String(block.text ?? '').trim()
      return text === '' || /^<(?:system-reminder|environment_context)/.test(text)
        ? []
        : [`${item.role}: ${text.replace(/^(Done with main)_\d+/, '$1')}`]
    })
    const calls = listOf(item.tool_calls).map((call) => {
      const { name, arguments: given } = call.function as Fields
      return callOf(name, given)
    })
    return [...said, ...calls]
  })
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : [])
const callOf = (name: unknown, input: unknown): string =>
  `call: ${name} ${typeof input === 'string' ? input.replaceAll(/\s/g, '') : JSON.stringify(input)}`
const textOf = (content: unknown): string =>
  (typeof content === 'string'
    ? content
    : listOf(content)
        .map(({ text }) => text ?? '')
        .join('\n')
  ).trim()
