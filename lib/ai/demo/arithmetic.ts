const spoken: readonly [RegExp, string][] = [
  [/\bplus\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\b(?:times|multiplied by)\b|[×·]/g, '*'],
  [/(?<=[\d)\s])x(?=[\d(\s])/g, '*'],
  [/\b(?:divided by|over)\b|[÷:]/g, '/'],
  [/\bto the power of\b|\*\*/g, '^'],
]
const lead =
  /^(?:(?:please|so|and|hey|ok)[,\s]+)*(?:what(?:'s|’s|s)?(?:\s+is)?|how much is|calculate|compute|solve)?\s*/

/** Works out a sum asked in figures or words, such as `what is (2 + 3) * 4`, or nothing if it is none. */
export function calculate(question: string): string | undefined {
  if (question.length > 200) return undefined
  let text = question
    .toLowerCase()
    .trim()
    .replace(/[?!.=\s]+$/, '')
    .replace(lead, '')
  for (const [word, sign] of spoken) text = text.replace(word, sign)
  const sum = text.replace(/\s+/g, '')
  // A lone number is no question, and anything but figures and signs is not ours.
  if (!/^[\d.+\-*/^()%]+$/.test(sum) || !/\d[+\-*/^%(]/.test(sum)) return undefined
  const value = evaluate(sum)
  if (value === undefined) return undefined
  const shown = sum
    .replace(/([+*/^-])/g, ' $1 ')
    .replace(/\s+/g, ' ')
    .replace(/(^|[(*/+^-] )\s*- /g, '$1-')
    .trim()
  if (!Number.isFinite(value)) return `${shown} has no finite answer.`
  return `${shown} = ${Number(value.toPrecision(12))}`
}

function evaluate(sum: string): number | undefined {
  let at = 0
  const value = additions()
  return at === sum.length ? value : undefined

  function additions(): number {
    let left = products()
    for (;;) {
      if (take('+')) left += products()
      else if (take('-')) left -= products()
      else return left
    }
  }
  function products(): number {
    let left = power()
    for (;;) {
      if (take('*')) left *= power()
      else if (take('/')) left /= power()
      else if (take('%')) left %= power()
      else return left
    }
  }
  function power(): number {
    const base = unary()
    return take('^') ? base ** power() : base
  }
  function unary(): number {
    if (take('-')) return -unary()
    if (take('(')) {
      const inside = additions()
      if (!take(')')) at = Number.NaN
      return inside
    }
    const figures = /^\d*\.?\d+|^\d+/.exec(sum.slice(at))?.[0]
    // NaN never equals the length, so a malformed sum is reported as none.
    if (figures === undefined) at = Number.NaN
    else at += figures.length
    return Number(figures)
  }
  function take(sign: string): boolean {
    if (sum[at] !== sign) return false
    at += 1
    return true
  }
}
