import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { switchBranch } from '@/app/(chat)/c/[id]/actions'
import { newId } from '@/lib/events'
import { readGraph } from '@/lib/server/api/chats'
import { forkThread } from '@/lib/server/api/commands'
import { takeTurn } from '@/lib/server/api/turn'
import { filesRun, told } from '@/testing/runner/files-run'
import { repoRoot } from '@/testing/runner/repo-root'
import { useApi } from '@/testing/worlds/api-world'
import { inRequestOf } from '@/testing/worlds/framework'
import { onOneDatabase } from '@/testing/worlds/open-stores'

// Three acts, and the files of the server that each one runs. `npm run walks` prints them.

onOneDatabase('a walk through the server', ({ name }) => {
  const api = useApi(name, { RAMIFY_WORKER: 'off' })

  /** The files of which a function runs each time that an act is done: not those of work that meets it by chance. */
  async function walk(act: () => Promise<unknown>): Promise<string[]> {
    const first = await ranDuring(act)
    const again = [await ranDuring(act), await ranDuring(act)]
    return first.filter((file) => again.every((files) => files.includes(file)))
  }

  /** The files of which a function runs during an act. They are loaded before. */
  async function ranDuring(act: () => Promise<unknown>): Promise<string[]> {
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await act()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    session.disconnect()
    return filesRun(result, (url) =>
      (url.startsWith('file:') ? fileURLToPath(url) : url).replace(`${repoRoot}/`, ''),
    )
  }

  it('given a turn, a click on a branch and a command, then each runs as many files as it did', async () => {
    const ada = await api.person()
    const [id, branch] = [newId(), newId()]
    const headers = { cookie: ada.browser.cookie, host: 'localhost:3000' }
    const turn = async () => {
      const message = {
        id: newId(),
        role: 'user',
        parts: [{ type: 'text', text: 'Which fish is in season?' }],
      }
      const answer = await ada.ask(takeTurn, { body: { id, branch, message } })
      expect(answer.text).toContain('[DONE]')
    }
    const fork = async (): Promise<string> => {
      const body = { source_thread_id: branch, event_number: 1 }
      const answer = await ada.ask(forkThread, { body, headers: { 'Idempotency-Key': newId() } })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.thread_id
    }
    const switchTo = (branchId: string) =>
      inRequestOf({ headers: new Headers(headers) }, async () => {
        expect(await switchBranch({ chatId: id, branchId })).toMatchObject({ ok: true })
      })
    // the first of each loads what it needs
    await turn()
    const sides = [branch, await fork()] as const
    let clicks = 0
    const click = () => switchTo(sides[++clicks % 2 === 0 ? 0 : 1])
    await click()
    await ada.ask(readGraph, { id })

    for (const [words, act, most] of [
      ['A turn, in the server', turn, 124],
      ['A click, in the server', click, 35],
      ['A command', fork, 42],
    ] as const) {
      const files = await walk(act)
      // the log of the application is silent
      process.stdout.write(told(words, files))
      expect(files.length, words).toBeLessThanOrEqual(most)
    }
  })
})
