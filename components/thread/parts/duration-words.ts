/** A duration in words: `< 0.1 s`, `0.4 s`, `12 s`, `2 min 5 s`, `1 h 4 min`. */
export function durationWords(ms: number): string {
  if (ms < 50) return '< 0.1 s'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
