/** No language puts more combining marks on a letter. */
export const maxMarks = 12

// Measured in Chromium with the page's own font, in microseconds: the browser searches for a break by shaping the text
// again, so a text without breaks costs the square of its length.
const perCharacter = 0.3
const perLine = 15
const perUnbrokenSquared = 0.004
const perTurn = 35

/** The cost of shaping a letter, in that of a Latin one. */
const latin = 1
const other = 2

const isMark = /^\p{M}$/u

/**
 * The time a browser needs to lay out a text, in microseconds on a small machine. Characters are added one after
 * another: a text that grows is read once.
 */
export class LayoutCost {
  private settled = 0
  private unbroken = 0
  private marks = 0
  private isRightToLeft: boolean | null = null
  private tooManyMarks = false

  /** The cost of all that was added; infinite when a letter has more marks than are drawn. */
  get total(): number {
    return this.tooManyMarks
      ? Number.POSITIVE_INFINITY
      : this.settled + this.unbroken ** 2 * perUnbrokenSquared
  }

  /** Takes in a UTF-16 unit. */
  add(code: number): void {
    this.settled += perCharacter
    if (code === 10) this.settled += perLine
    if (breaksAt(code)) this.endUnbroken()
    else this.unbroken += code < 0x250 ? latin : other
    if (code >= 0x300) this.addMark(code)
    else this.marks = 0
    const side = sideOf(code)
    if (side === null) return
    if (this.isRightToLeft !== null && this.isRightToLeft !== side) this.settled += perTurn
    this.isRightToLeft = side
  }

  /** Takes in a line and its end. */
  addLine(line: string): void {
    for (let at = 0; at < line.length; at++) this.add(line.charCodeAt(at))
    this.add(10)
  }

  private addMark(code: number): void {
    this.marks = isMark.test(String.fromCharCode(code)) ? this.marks + 1 : 0
    if (this.marks > maxMarks) this.tooManyMarks = true
  }

  private endUnbroken(): void {
    this.settled += this.unbroken ** 2 * perUnbrokenSquared
    this.unbroken = 0
  }
}

/** A copy of a count, to be continued by itself. */
export const copyOf = <Count extends object>(count: Count): Count =>
  Object.assign(Object.create(Object.getPrototypeOf(count)), count)

/** The cost of a whole text. */
export function layoutCost(text: string): number {
  const cost = new LayoutCost()
  cost.addLine(text)
  return cost.total
}

/** True when a line may break beside a character: at white space, and in scripts that set none. */
function breaksAt(code: number): boolean {
  if (code <= 32 || code === 0x2028 || code === 0x2029 || code === 0x200b) return true
  if (code < 0xe00) return false
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xdfff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef) ||
    (code >= 0xe00 && code <= 0xeff) ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0x2000 && code <= 0x200a)
  )
}

/**
 * `true` for letters of scripts from right to left, `false` for other letters, null for signs without a
 * direction.
 */
function sideOf(code: number): boolean | null {
  if (code < 65 || (code > 90 && code < 97) || (code > 122 && code < 0xc0)) return null
  return (
    (code >= 0x590 && code <= 0x8ff) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefc)
  )
}
