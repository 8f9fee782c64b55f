import { plainLetters } from '@/lib/events/search-letters'

/**
 * Score of a command for the typed words, from 0 (not at all) to 1: its label holds them, or every typed word begins
 * one of its words. Letters that only follow one another somewhere do not count: they would rank unrelated commands
 * above the wanted one.
 *
 * @param words further words the command is found by
 */
export function paletteScore(typed: string, label: string, words = ''): number {
  const wanted = plainLetters(typed.trim())
  const shown = plainLetters(label)
  if (shown === wanted) return 1
  if (shown.startsWith(wanted)) return 0.9
  if (shown.includes(wanted)) return 0.8
  const [inLabel, inAll] = [wordsIn(shown), wordsIn(`${shown} ${plainLetters(words)}`)]
  const holds = (all: readonly string[]) =>
    wordsIn(wanted).every((start) => all.some((word) => word.startsWith(start)))
  return holds(inLabel) ? 0.6 : holds(inAll) ? 0.3 : 0
}

const wordsIn = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
