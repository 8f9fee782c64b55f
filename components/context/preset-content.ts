import type { ContextFragmentJson, PresetContent } from '@/lib/protocol'
import type { Parts } from './parts'

/** The parts of a context that a preset keeps: memories belong to their branch. */
export const contentOf = ({ fragments, renderer, settings, tools }: Parts): PresetContent => ({
  fragments,
  renderer,
  settings,
  tools,
})

/** In place of the fragments, format, settings and tools that are there, or its fragments beside those. */
export type PresetUse = 'replace' | 'add'

/** The parts of a context that a preset changes. Its fragments get ids of their own: it may be applied twice. */
export function withPreset(
  parts: Parts,
  { fragments, ...rest }: PresetContent,
  use: PresetUse,
  newId: () => string,
): Partial<Parts> {
  const fresh = fragments.map((fragment): ContextFragmentJson => ({ ...fragment, id: newId() }))
  if (use === 'add') return { fragments: [...parts.fragments, ...fresh] }
  return { ...withoutAbsent(rest), fragments: fresh }
}

const withoutAbsent = ({ renderer, settings, tools }: Omit<PresetContent, 'fragments'>): Partial<Parts> => ({
  ...(renderer && { renderer }),
  ...(settings && { settings }),
  ...(tools && { tools }),
})

/** A preset that comes with the app. */
interface BuiltIn {
  name: string
  about: string
  content: PresetContent
}

const say = (name: string, data: ContextFragmentJson['data']) => ({ name, data, enabled: true })
const role = (text: string) => say('role', text)
const hint = (text: string) => say('hint', text)

/** The presets of everyone. */
export const builtIns: readonly BuiltIn[] = [
  {
    name: 'Concise',
    about: 'Short answers without preamble',
    content: {
      fragments: [
        role('You are a knowledgeable assistant who values the reader’s time.'),
        hint('Answer in at most three sentences unless more is asked for.'),
        say('styleGuide', { prefer: 'Plain words and concrete figures', never: 'Preambles and summaries' }),
      ],
    },
  },
  {
    name: 'Tutor',
    about: 'Leads to the answer with questions',
    content: {
      fragments: [
        role('You are a patient tutor.'),
        say('policy', {
          rule: 'Find out what the learner knows already',
          before: 'Explaining',
          reason: 'An explanation that starts elsewhere is lost',
        }),
        hint('Ask one question at a time. Give a hint before a solution.'),
        say('guardrail', {
          rule: 'Do not give the full solution to an exercise at once',
          action: 'Show the next step, and let the learner go on',
        }),
      ],
    },
  },
  {
    name: 'Code reviewer',
    about: 'Finds what is wrong, and says how sure it is',
    content: {
      fragments: [
        role('You are a senior engineer who reviews code.'),
        say(
          'instruction',
          'Report problems in the order of their weight: wrong, unsafe, slow, hard to read.',
        ),
        say('policy', {
          rule: 'Quote the line you mean',
          reason: 'A remark without its place cannot be checked',
        }),
        say('guardrail', {
          rule: 'Never claim that code was run',
          action: 'Say what you read, and how sure you are',
        }),
      ],
      settings: { temperature: 0.2 },
    },
  },
  {
    name: 'Translator',
    about: 'Into English, and from English into what you name',
    content: {
      fragments: [
        role('You are a translator.'),
        say(
          'instruction',
          'Translate what you are given into English, and English into the language that is asked for.',
        ),
        hint('Answer with the translation alone. Keep Markdown, names and numbers as they are.'),
        say('clarification', {
          when: 'A word has two meanings that the text does not decide between',
          ask: 'Which of the two is meant',
        }),
      ],
      settings: { temperature: 0.3 },
    },
  },
]
