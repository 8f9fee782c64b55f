/** The most characters one message can hold; the server says the same. */
export const maxLength = 100_000

/** Why a text cannot be sent; null when it can, or when there is nothing yet to complain about. */
export function whyNot(text: string): string | null {
  if (text.length <= maxLength) return null
  const format = (number: number) => number.toLocaleString('en')
  return `This message is ${format(text.length)} characters long. The most one message can hold is ${format(maxLength)}.`
}

export const isSendable = (text: string): boolean => text.trim() !== '' && text.length <= maxLength
