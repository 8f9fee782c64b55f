import { getDocumentProxy } from 'unpdf'
import { MAX_TEXT, Refused } from './task.ts'

/** The text of a PDF, page by page. Empty: its pages are pictures. */
export async function readPdf(bytes: Buffer): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes)).catch((error: Error) => {
    if (error.name === 'PasswordException')
      throw new Refused('encrypted_file', 'is locked with a password. Save it without one, and attach that.')
    throw new Refused(
      'damaged_file',
      `is damaged: it cannot be read as a PDF (${error.message}). Save it again, and attach that.`,
    )
  })
  let text = ''
  for (let number = 1; number <= pdf.numPages && text.length <= MAX_TEXT; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const words = items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
      .trim()
    if (words) text += `[Page ${number}]\n${words}\n\n`
  }
  return text.trim()
}
