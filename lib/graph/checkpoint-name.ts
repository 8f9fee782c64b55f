/** `checkpoint-1`, or the first number that is free. */
export function suggestCheckpointName(taken: readonly { name: string }[]): string {
  const names = new Set(taken.map(({ name }) => name))
  let number = 1
  while (names.has(`checkpoint-${number}`)) number++
  return `checkpoint-${number}`
}
