/** Characters that HTML and SVG refuse: controls, and halves of characters. */
const unwritable = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an element or a quoted attribute of a page. */
export const escapeHtml = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
