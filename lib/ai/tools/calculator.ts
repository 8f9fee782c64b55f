import type { Parser } from 'expr-eval-fork'

/** Characters of an expression: longer ones are no sums. */
const MOST = 1000

/** Functions of an expression. Everything else of the parser's (functions over lists, random numbers) is left out. */
const functions = new Set(['min', 'max', 'hypot', 'pow', 'atan2', 'roundTo'])

let parser: Promise<Parser> | undefined

/** Fetched with the first sum. */
function loadParser(): Promise<Parser> {
  parser ??= import('expr-eval-fork').then(({ Parser: Evaluator }) => {
    const off = {
      assignment: false,
      fndef: false,
      in: false,
      concatenate: false,
      random: false,
      length: false,
    }
    const made = new Evaluator({ allowMemberAccess: false, operators: off })
    made.functions = Object.fromEntries(
      Object.entries(made.functions as Record<string, unknown>).filter(([name]) => functions.has(name)),
    )
    return made
  })
  return parser
}

/**
 * Works out an expression of numbers, with `+ - * / % ^`, brackets and functions like `sqrt` and `round`. It runs no code.
 *
 * @throws Error with the sentence to show, for anything that is no sum
 * @example await calculate('2 * (3 + 4)') // 14
 */
export async function calculate(expression: string): Promise<number> {
  if (expression.length > MOST)
    throw new Error(`An expression has ${MOST.toLocaleString('en')} characters at most.`)
  const evaluator = await loadParser()
  let value: unknown
  try {
    value = evaluator
      .parse(expression.replaceAll('**', '^').replace(/[×·]/g, '*').replace(/÷/g, '/'))
      .evaluate({})
  } catch (error) {
    throw new Error(`This is not a calculation: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof value !== 'number') throw new Error('This is not a calculation: its value is no number.')
  if (!Number.isFinite(value)) throw new Error('This calculation has no finite result.')
  // 0.1 + 0.2 is 0.3 to a person
  return Number(value.toPrecision(15))
}
