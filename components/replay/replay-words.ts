/** So many messages, in words. */
export const turnWords = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`
