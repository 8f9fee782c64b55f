import { parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'
import { payloads } from '@/lib/events'
import { readImports } from './read-imports'
import { sources } from './sources'

/** The kinds of `Step` (lib/events/step.ts). */
const kinds = [
  ...['append', 'queue-run', 'finish-run', 'open-branch', 'switch-branch', 'rename-branch', 'title-branch'],
  ...['archive-branch', 'unarchive-branch', 'set-context', 'save-checkpoint', 'remove-checkpoint'],
  ...['update-chat', 'begin-replay', 'move-replay', 'keep-bisect', 'note-received', 'note'],
]

/** Which objects a module makes: every literal that has `key` with one of these values. */
function made(file: string, source: string, key: string, values: readonly string[]): string[] {
  const found: string[] = []
  // to parse every module takes seconds
  if (!values.some((value) => source.includes(`'${value}'`))) return found
  new Visitor({
    Property: ({ key: name, value }) => {
      if (name.type !== 'Identifier' || name.name !== key) return
      const literal = value.type === 'TSAsExpression' ? value.expression : value
      if (literal.type !== 'Literal' || !values.includes(String(literal.value))) return
      found.push(`${file} makes ${key}: '${literal.value}'`)
    },
  }).visit(parseSync(file, source).program)
  return found
}

describe('one engine', () => {
  const product = sources('lib', 'app')

  test('steps are made by the planners of lib/context alone, so no rule is reached by two ways', () => {
    const planned = [...product].flatMap(([file, source]) => made(file, source, 'kind', kinds))
    expect(planned.filter((line) => !line.startsWith('lib/context/planners/'))).toEqual([])
    expect(new Set(planned.map((line) => /'(.*)'/.exec(line)?.[1]))).toEqual(new Set(kinds))
  })

  test('facts are decided by lib/events/decide.ts alone', () => {
    const decided = [...product]
      .filter(([file]) => /^lib\/(context|conversations|events)\//.test(file) && !file.endsWith('/decide.ts'))
      .flatMap(([file, source]) => made(file, source, 'type', Object.keys(payloads)))
    // what a `record` or a `note` step tells is told by the planner of the step
    expect(decided.sort()).toEqual([
      "lib/context/planners/plan-agent-call.ts makes type: 'ReplyFailed'",
      "lib/context/planners/plan-compact.ts makes type: 'ThreadCompacted'",
      "lib/context/planners/plan-members.ts makes type: 'MemberAdded'",
      "lib/context/planners/plan-members.ts makes type: 'MemberRemoved'",
      "lib/context/planners/plan-merge.ts makes type: 'ThreadsMerged'",
      "lib/context/planners/plan-proposal.ts makes type: 'ProposalDeclined'",
      "lib/context/planners/plan-proposal.ts makes type: 'ProposalOpened'",
      "lib/context/planners/plan-proposal.ts makes type: 'ProposalTaken'",
      "lib/context/planners/plan-replay.ts makes type: 'ReplayStarted'",
    ])
  })

  test('every planner has a use case in the engine, the store or lib/conversations', () => {
    const exported = [...product]
      .filter(([file]) => file.startsWith('lib/context/planners/plan-'))
      .flatMap(([, source]) => [...source.matchAll(/^export (?:const|function) (plan\w+)/gm)])
      .map(([, name]) => name ?? '')
    const users = [...product].filter(([file]) =>
      /^lib\/(conversations|store|context\/(engine|store))\//.test(file),
    )
    const used = (name: string) => users.some(([, source]) => new RegExp(`\\b${name}\\(`).test(source))
    expect(exported.length).toBeGreaterThan(10)
    expect(exported.filter((name) => !used(name))).toEqual([])
  })

  test('the planners are pure: they know neither stores nor clocks', () => {
    for (const [file, source] of product) {
      if (!file.startsWith('lib/context/planners/')) continue
      expect(source, file).not.toMatch(/Date\.now|await |async /)
      const stores = readImports(file, source).imports.filter(({ specifier }) => /-store'?$/.test(specifier))
      expect(stores, file).toEqual([])
    }
  })
})
