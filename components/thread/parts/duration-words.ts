/** How long something took: `< 0.1 s`, `0.4 s`, `12 s`, `2 min 5 s`. */
export function durationWords(ms: number): string {
  if (ms < 50) return '< 0.1 s'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
