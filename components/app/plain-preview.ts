import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import { plainWords } from '@/lib/events/title-words'

/** A preview without Markdown's marks, as `plainWords` has it, and without surplus combining marks. */
export const plainPreview = (preview: string): string => plainWords(withoutSurplusMarks(preview))

/** The longest quotation of a message, in letters. */
const longest = 48

/** The beginning of a message as a sentence quotes it. */
export function quoted(preview: string): string {
  const plain = plainPreview(preview).replace(/\s+/g, ' ')
  if (plain === '') return '…'
  return plain.length <= longest ? plain : `${plain.slice(0, longest).trimEnd()}…`
}
