import { describe, expect, it } from 'vitest'
import { splitThoughts, ThoughtSplitter, withoutThoughts } from './split-thoughts'

/** The pieces of a text that comes in parts of so many characters, neighbours joined. */
function inParts(text: string, size: number) {
  const splitter = new ThoughtSplitter()
  const pieces: { kind: string; text: string }[] = []
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
  for (const piece of [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()]) {
    const last = pieces.at(-1)
    if (piece.kind === 'end-only') {
      for (const before of pieces) before.kind = 'reasoning'
      if (last) last.text = last.text.trimEnd()
    } else if (last?.kind === piece.kind) last.text += piece.text
    else pieces.push({ ...piece })
  }
  return pieces
}

const thoughts = (text: string) => ({ kind: 'reasoning', text })
const words = (text: string) => ({ kind: 'text', text })

const answered = [thoughts('Hm, well.'), words('All is well.')]

describe('thoughts in a text', () => {
  it.each([
    ['<think>\nHm, well.\n</think>\n\nAll is well.'],
    ['\n <think>Hm, well.</think>All is well.'],
    ['<thinking>Hm, well.</thinking>All is well.'],
    ['<THINK>Hm, well.</Think> All is well.'],
    ['<thought>Hm, well.</thought>\nAll is well.'],
    ['<thoughts>Hm, well.</thoughts>\nAll is well.'],
    ['<reasoning>Hm, well.</reasoning>\nAll is well.'],
    ['<mm:think>Hm, well.</mm:think>\nAll is well.'],
    ['<seed:think>Hm, well.</seed:think>\nAll is well.'],
    ['<antThinking>Hm, well.</antThinking>\nAll is well.'],
    ['[THINK]Hm, well.[/THINK]All is well.'],
    ['◁think▷Hm, well.◁/think▷All is well.'],
    ['<|START_THINKING|>Hm, well.<|END_THINKING|><|START_RESPONSE|>All is well.<|END_RESPONSE|>'],
    [
      '<|begin_of_thought|>\nHm, well.\n<|end_of_thought|>\n<|begin_of_solution|>All is well.<|end_of_solution|>',
    ],
    [
      '<|channel|>analysis<|message|>Hm, well.<|end|><|start|>assistant<|channel|>final<|message|>All is well.<|return|>',
    ],
    [
      '<|start|>assistant<|channel|>analysis<|message|>Hm, well.<|end|><|channel|>final <|constrain|>json<|message|>All is well.',
    ],
    [
      '<|channel|>commentary to=functions.weather<|message|>Hm, well.<|call|><|start|>assistant<|message|>All is well.',
    ],
    ['<|channel>thought\nHm, well.\n<channel|>All is well.'],
    // their beginning stood in the prompt
    ['Hm, well.\n</think>\n\nAll is well.'],
    ['Hm, well.[/THINK]All is well.'],
    ['Hm, well.<channel|>All is well.'],
  ])('given %j, in pieces of any size, then thoughts and words', (text) => {
    expect(splitThoughts(text)).toEqual(answered)
    for (const size of [1, 2, 3, 7]) expect(inParts(text, size), `pieces of ${size}`).toEqual(answered)
  })

  it('given thoughts between words, then each at its place', () => {
    expect(splitThoughts('Let me see.\n<think>Hm.</think>\nYes. <think>Or?</think>No.')).toEqual([
      words('Let me see.\n'),
      thoughts('Hm.'),
      words('Yes. '),
      thoughts('Or?'),
      words('No.'),
    ])
  })

  it.each(['<think>Hm, well.', '<think>Hm, well.\n', '<|channel|>analysis<|message|>Hm, well.'])(
    'given %j that is never closed, then all of it is thoughts',
    (text) => expect(splitThoughts(text)).toEqual([thoughts('Hm, well.')]),
  )

  it('given thoughts that quote their own end, then they go on', () => {
    expect(splitThoughts('<think>I close with `</think>`. So.</think>Done.')).toEqual([
      thoughts('I close with `</think>`. So.'),
      words('Done.'),
    ])
  })

  it.each([
    ['inline code', 'Write `<think>` and `</think>` around it.'],
    ['inline code with two marks', 'Write ``<think>` `` around it.'],
    ['a fence', 'So:\n```xml\n<think>\nHm\n</think>\n```\nDone.'],
    ['a fence of tildes', '~~~\n</think>\n~~~\n'],
    ['a fence in a list', '1. ```\n   <think>x</think>\n   ```\n'],
    ['quotes', 'The tag "<think>" begins it and “</think>” ends it.'],
    ['other letters', 'See [think](https://example.com) and [/think].'],
    ['another tag', 'A <thinker> and a <thin> line, 3 < 4 <|end|> <|x|>'],
    ['a head without a channel', 'The mark <|start|> begins it.\nAnd <|channel|> too.'],
    ['the beginning of a mark', 'It ends in <thin'],
    ['space alone', '  \n'],
  ])('given %s, then all of it is words', (_, text) => {
    expect(splitThoughts(text)).toEqual([words(text)])
    for (const size of [1, 4]) expect(inParts(text, size)).toEqual([words(text)])
  })

  it('given an end without a beginning after thoughts, then it is dropped before words and kept among them', () => {
    expect(splitThoughts('<think>Hm.</think>\n</think>\nYes, </think> ends it.')).toEqual([
      thoughts('Hm.'),
      words('Yes, </think> ends it.'),
    ])
    const after = new ThoughtSplitter(true)
    expect([...after.push('</think>\n\nYes.'), ...after.end()]).toEqual([words('Yes.')])
  })

  it('given code that was never closed, then a new paragraph is none', () => {
    expect(splitThoughts('It`s so.\n\n<think>Hm.</think>Yes.')).toEqual([
      words('It`s so.\n\n'),
      thoughts('Hm.'),
      words('Yes.'),
    ])
  })

  it('given words that are no mark, then they are held back no longer than a mark may need', () => {
    const splitter = new ThoughtSplitter()
    expect(splitter.push('Is 3 <')).toEqual([words('Is 3 ')])
    expect(splitter.push(' 4?')).toEqual([words('< 4?')])
    expect(splitter.push(' A <thi')).toEqual([words(' A ')])
    expect(splitter.push('ng>')).toEqual([words('<thing>')])
  })
})

it('given a whole answer, then only its words are left', () => {
  expect(withoutThoughts('<think>\nThey want a title.\n</think>\n\nWell Being')).toBe('Well Being')
  expect(withoutThoughts('They want a title.\n</think>\nWell Being')).toBe('Well Being')
  expect(withoutThoughts('<think>They want')).toBe('')
})
