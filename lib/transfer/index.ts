export { BeyondPartError, type FilePart } from './file-part'
export {
  type ExportItem,
  type ForeignChat,
  type ForeignFile,
  type ForeignMessage,
  type OpenExport,
  UnreadableExportError,
} from './foreign-chat'
export { cleanText, jsonText, plainValue } from './json/values'
export { openExport } from './read-export'
export { Turns } from './turns'
