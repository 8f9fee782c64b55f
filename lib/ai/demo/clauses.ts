export type Clause = { readonly text: string; readonly question: boolean }

/** Reading stops here: facts stand at the start of a message, not in a pasted file. */
const MAX_TEXT = 20_000
const MAX_CLAUSE = 400

const asking =
  /^(?:(?:and|so|but|now|then|ok|okay|please|well|hey|hi|hello)[,\s]+)*(?:what|what's|whats|what’s|who|who's|whose|where|when|why|how|which|do|does|did|can|could|would|will|should|is|are|am|was|were|have|tell me|say|guess)\b/i
const joints =
  /\s+(?:and|but)\s+(?=(?:my|I|I'm|I’m|call me|what|who|where)\b)|[,;]\s*(?=(?:(?:and|but|so)\s+)?(?:my|I|I'm|I’m|call me|what|what's|who|where|when|how|do you|can you)\b)/i

/** Cuts a message into clauses that each state or ask one thing. Code is left out: it states nothing. */
export function clausesOf(text: string): Clause[] {
  return text
    .slice(0, MAX_TEXT)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/(?<=[.!?])\s+|\n+/)
    .flatMap((sentence) => {
      const asked = sentence.trimEnd().endsWith('?')
      const clauses = sentence.split(joints).map((clause) => clause.trim())
      return clauses.map((clause, index) => ({
        text: clause.replace(/[.!?\s]+$/, ''),
        // A question mark asks about what stands right before it: "I am Ada, what is my name?"
        question: asking.test(clause) || (asked && index === clauses.length - 1),
      }))
    })
    .filter((clause) => clause.text !== '' && clause.text.length <= MAX_CLAUSE)
}
