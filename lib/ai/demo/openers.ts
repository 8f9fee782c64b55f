import type { DemoPrompt } from './read-prompt'

/** A subject that the demo model can talk about, in more than one way. */
interface Subject {
  asked: RegExp
  /** prepared answers: each try gives the next one */
  takes: readonly string[]
  /** other wishes of a person, by a word of the question */
  choices: readonly { word: RegExp; says: string }[]
  /** the question back, with which an answer ends */
  asksBack: string
}

const stays = 'Change your mind at any message: what is here stays, on a branch of its own.'

const weekend: Subject = {
  asked: /\blisbon\b/i,
  takes: [
    '**By the water.** Saturday: the ferry to Cacilhas, a long lunch with all of Lisbon on the other side, back at sunset. Sunday: Belém before ten, then the riverside path, with nothing booked.',
    '**Up the hills.** Saturday: the two viewpoints of Graça, lunch in a back street of Mouraria. Sunday: tram 28 from its first stop before nine, the garden of Estrela, an evening of fado in a small place.',
    '**Mostly indoors.** Saturday: the Gulbenkian museum and its garden. Sunday: the tile museum, a slow lunch, a bookshop that has been open since 1732.',
  ],
  choices: [
    {
      word: /\b(?:water|river|sea|beach|swim)/i,
      says: 'Then stay by the water:\n\n1. **Morning**: the train to Cascais, forty minutes along the river mouth\n2. **Noon**: the flat path to *Boca do Inferno*, grilled fish on the way\n3. **Evening**: back for the last ferry to Cacilhas and the lights of the city',
    },
    {
      word: /\b(?:hills?|walk|climb|view)/i,
      says: 'Then go up:\n\n1. **Morning**: Graça and Senhora do Monte, before the heat\n2. **Noon**: lunch in Mouraria, in the shade\n3. **Evening**: the lift to Carmo, and down through Chiado on foot',
    },
    {
      word: /\b(?:rain|museum|indoors?|wet)/i,
      says: 'Then keep dry:\n\n1. **Morning**: the Gulbenkian, two collections under one roof\n2. **Noon**: the market hall, where everybody finds something\n3. **Evening**: the tile museum’s late opening, and fado in a cellar',
    },
  ],
  asksBack:
    'By the water or up the hills? Press **Edit** under your question and add which, or **Try again** for another plan. This one is kept.',
}

const recursion: Subject = {
  asked: /\brecursion\b/i,
  takes: [
    'Recursion is solving a problem by solving a smaller copy of it. A row of people wants to know how long it is: each asks the person behind “how long is the row from you on?” and adds one. The last person, with nobody behind, answers “one”. That answer ends the asking; without it the question would never come back.',
    'Recursion is a recipe with itself among its ingredients. To sort a pile of letters, split it in two, sort each half *by this recipe*, and put the halves together. A pile of one letter is sorted already: that is where it stops.',
    'Recursion is a set of dolls, each with a smaller one inside. To count them, open one and count what is inside the same way, then add one. The doll that does not open is the end; everything else is waiting for its answer.',
  ],
  choices: [
    {
      word: /\b(?:child|kid|simple|five|daughter|son)/i,
      says: 'You are in a queue and cannot see its beginning. So you ask the child in front: “What number are you?” They ask the next one, and so on, until the first says “I am number one!” Then the answers come back: two, three, four, you. Asking the same small question again and again, until somebody knows: that is recursion.',
    },
    {
      word: /\b(?:programmer|developer|code|engineer)/i,
      says: 'A function that calls itself on a smaller input, with a base case that does not:\n\n```ts\nconst lengthOf = (row: string[]): number =>\n  row.length === 0 ? 0 : 1 + lengthOf(row.slice(1))\n```\n\nEach call waits on the stack for the next; the base case lets them all return.',
    },
  ],
  asksBack:
    'For a child or for a programmer? Press **Edit** under your question and say which, or **Try again** for another picture. This one is kept.',
}

const cat: Subject = {
  asked: /\bcat\b.*\bname|\bname\b.*\bcat\b/i,
  takes: [
    '- **Pebble**: small, grey, and found on a walk\n- **Ash**: short to call at night\n- **Mouse**: for the confusion\n- **Graphite**: leaves marks on everything\n- **Tuesday**: the greyest of days',
    '- **Earl**: as in the tea\n- **Smoke**: she is gone before you look\n- **Flint**: sparks when stroked the wrong way\n- **Wren**: grey, and no larger\n- **Moth**: drawn to every lamp',
    '- **Slate**, **Fog** and **Thistle** for the colour\n- **Comma** for the size\n- **Moon** for the hours she keeps',
  ],
  choices: [
    {
      word: /\b(?:dignified|serious|noble|grand|elegant)/i,
      says: 'Dignified, then: **Octavia**, **Sir Edmund**, **Countess Grey**, **Aurelius**, **Madame**. Say each aloud at the back door before deciding.',
    },
    {
      word: /\b(?:silly|funny|odd|weird)/i,
      says: 'Silly, then: **Professor Socks**, **Dustbunny**, **Kevin**, **Toast**, **The Landlord**. Kevin never gets old.',
    },
  ],
  asksBack:
    'Dignified or silly? Press **Edit** under your question and add the word, or **Try again** for five others. These are kept.',
}

const subjects = [weekend, recursion, cat]

/**
 * An answer to a suggestion of the start page, and to a person's variation of it; undefined for anything else. It
 * ends so that another way to go is at hand.
 *
 * @param take number of times the same was asked before
 */
export function aboutOpeners({ question, said }: DemoPrompt, take: number): string | undefined {
  const chosen = ({ choices }: Subject) => choices.find(({ word }) => word.test(question))
  const asked = subjects.find((subject) => subject.asked.test(question))
  // a short answer to the question back is about the question before
  const earlier = said.slice(0, -1).map(({ text }) => text)
  const subject =
    asked ?? subjects.find((one) => chosen(one) !== undefined && earlier.some((text) => one.asked.test(text)))
  if (!subject) return undefined
  const choice = chosen(subject)
  if (choice) return `${choice.says}\n\n${stays}`
  return `${subject.takes[take % subject.takes.length]}\n\n${subject.asksBack}`
}
