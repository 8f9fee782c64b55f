import 'server-only'
import { ownTools } from './own-tools'
import { readingTools } from './reading-tools'
import { threadTools } from './thread-tools'
import type { Tool } from './tool'
import { writingTools } from './writing-tools'

/** Every tool of the MCP server, in the order of the list. */
export const mcpTools: readonly Tool[] = [...readingTools, ...writingTools, ...ownTools, ...threadTools]
