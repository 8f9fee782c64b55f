/** A number with its thing: `1 message`, `9,989 messages`, `2 branches`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
