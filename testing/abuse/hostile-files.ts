import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeChatgptExport } from '@/bench/fixtures/chatgpt-export'
import type { ImportReport } from '@/lib/protocol'
import { importWhole } from '@/testing/faults/kill-import'
import type { Visitor } from '@/testing/faults/visitor'
import { fileForms, hostileFile, hostileValues, ownForm } from '@/testing/worlds/hostile-files'
import { zipOf } from '@/testing/worlds/zip-file'
import type { Attack } from './attack'

const MB = 1024 * 1024
/** Bytes of a file of the whole suite, and of a short one. */
const [LONG, SHORT] = [200 * MB, 4 * MB]
/** Words of a limit, or of a file that is none. */
const saysWhy =
  /nested deeper|more than [\d,]+ values|larger than|longer than|would unpack|Nothing was said|no chats|not valid JSON|damaged|no chat|NUL character|known in part/

/** Files of every format whose size, depth or number of values no chat has, alone and in a zip; in a short run one of each format. */
export const hostileFiles: Attack = {
  name: 'files that no program exports',
  async run({ base, arena, rounds, dice }) {
    const guest = await arena.visitor(base)
    const folder = await mkdtemp(path.join(tmpdir(), 'ramify-hostile-'))
    const problems: string[] = []
    const isWhole = rounds >= 25
    try {
      for (const [program, form] of Object.entries({ ...fileForms, ramify: ownForm })) {
        const kinds = Object.entries(hostileValues)
        const chosen = isWhole ? kinds : [kinds[dice.roll(kinds.length)] ?? kinds[0]]
        for (const [kind, value] of chosen.flatMap((one) => (one ? [one] : []))) {
          const file = path.join(folder, 'bad.json')
          await writeFile(file, hostileFile(form, value(rounds > 1 ? LONG : SHORT)))
          const zip = path.join(folder, 'bad.zip')
          const name = program === 'ramify' ? 'chats/bad.json' : 'bad.json'
          const manifest = { name: 'manifest.json', bytes: '{"format":"ramify.export","version":1}' }
          await writeFile(zip, zipOf([manifest, { name, bytes: await readFile(file) }]))
          for (const given of isWhole ? [file, zip] : [dice.roll(2) === 0 ? file : zip]) {
            const problem = await refusalOf(guest, base, given)
            if (problem) problems.push(`${program}, ${kind}, ${path.extname(given)}: ${problem}`)
          }
        }
      }
      const good = path.join(folder, 'conversations.json')
      await writeChatgptExport(good, { chats: 3, length: 4 })
      const { status, chats } = await importWhole(guest, base, good)
      if (status !== 'done' || chats.imported !== 3) problems.push(`a good file after them is ${status}`)
      const { total } = await guest.json<{ total: number }>(`${base}/api/chats`)
      if (total !== 3) problems.push(`${total} chats are there instead of 3`)
    } finally {
      await rm(folder, { recursive: true })
    }
    return problems
  },
}

/** What is wrong with the refusal of a file; undefined: it was refused in words. */
async function refusalOf(guest: Visitor, base: string, file: string): Promise<string | undefined> {
  const form = new FormData()
  form.set('file', await openAsBlob(file), path.basename(file))
  const sent = await fetch(`${base}/api/import`, {
    method: 'POST',
    body: form,
    headers: { cookie: guest.cookie },
  })
  const answer = (await sent.json()) as { import_id?: string; code?: string; detail?: string }
  if (sent.status === 400 && answer.code === 'unreadable_file')
    return saysWhy.test(answer.detail ?? '') ? undefined : `it says ${answer.detail}`
  if (sent.status !== 202) return `it was answered ${sent.status} ${answer.detail}`
  for (;;) {
    const report = await guest.json<ImportReport>(`${base}/api/import/${answer.import_id}`)
    if (report.status === 'done' || report.status === 'failed') {
      const words = [report.reason, ...report.problems.map(({ reason }) => reason)].join(' ')
      if (report.chats.imported > 0) return 'something of it was imported'
      return saysWhy.test(words) ? undefined : `it is ${report.status}: ${words}`
    }
    await pause(200)
  }
}
