import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import { plainWords } from '@/lib/events/title-words'

/** A preview without Markdown's marks, as `plainWords` has it, and without surplus combining marks. */
export const plainPreview = (preview: string): string => plainWords(withoutSurplusMarks(preview))
