import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ModelSettingError } from '@/lib/ai/model-errors'
import { createModels } from '@/lib/ai/registry'

const folder = mkdtempSync(path.join(tmpdir(), 'ramify-models-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (text: string): string => {
  const at = path.join(folder, 'models.json')
  writeFileSync(at, text)
  return at
}
const NOON = Date.parse('2026-11-22T12:00:00Z')
const described = (models: object, id: string) => {
  const env = { OPENAI_API_KEY: 'k', RAMIFY_MODELS_FILE: file(JSON.stringify({ models })) }
  return createModels(env, { clock: () => NOON })
    .describe()
    .find((model) => model.id === id)
}

it('given a price and a name for a known model, then these count, and the rest stays', () => {
  const ours = { name: 'Ours', price: { input: 1, output: 2 } }
  const corrected = described({ 'openai:gpt-5.5': ours }, 'openai:gpt-5.5')
  expect(corrected).toMatchObject({
    label: 'Ours',
    price: { input: 1, output: 2, cached: null },
    window: 1_050_000,
    tools: true,
    reasoning: true,
  })
})

it('given null, then the value is not known, whatever the table has', () => {
  const unknown = { price: null, window: null }
  expect(described({ 'openai:gpt-5.5': unknown }, 'openai:gpt-5.5')).toMatchObject(unknown)
})

it('given a model that our list lacks, of a provider that is on, then it is offered', () => {
  expect(described({ 'openai:gpt-99': { window: 9 } }, 'openai:gpt-99')).toEqual({
    id: 'openai:gpt-99',
    label: 'gpt-99',
    provider: 'openai',
    window: 9,
    input: ['text/plain', '*/*'],
    tools: null,
    reasoning: null,
    price: null,
  })
})

it('given a model of a provider that is off, then it is not offered', () => {
  expect(described({ 'anthropic:claude-9': { window: 9 } }, 'anthropic:claude-9')).toBeUndefined()
})

it.each([
  ['{', 'is not JSON'],
  ['[]', 'the file'],
  ['{"models": {"gpt": {}}}', 'models.gpt'],
  ['{"models": {"openai:a": {"window": 0}}}', 'models.openai:a.window'],
  ['{"models": {"openai:a": {"window": "1"}}}', 'models.openai:a.window'],
  ['{"models": {"openai:a": {"price": {"input": -1, "output": 1}}}}', 'models.openai:a.price.input'],
  ['{"models": {"openai:a": {"price": {"input": 1}}}}', 'models.openai:a.price.output'],
  ['{"models": {"openai:a": {"input": ["pictures"]}}}', 'models.openai:a.input.0'],
  ['{"models": {"openai:a": {"cost": 1}}}', 'models.openai:a'],
])('given the file %s, then the start is refused in one line with path and reason', (text, where) => {
  const at = file(text)
  const open = () => createModels({ RAMIFY_MODELS_FILE: at })
  expect(open).toThrow(ModelSettingError)
  expect(open).toThrow(/^RAMIFY_MODELS_FILE [^\n]+$/)
  expect(open).toThrow(at)
  expect(open).toThrow(where)
})

it('given a file that is not there, then the start is refused with its path', () => {
  const open = () => createModels({ RAMIFY_MODELS_FILE: '/nowhere/models.json' })
  expect(open).toThrow('RAMIFY_MODELS_FILE /nowhere/models.json: there is no such file')
})
