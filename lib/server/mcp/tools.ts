import 'server-only'
import { readingTools } from './reading-tools'
import type { Tool } from './tool'
import { writingTools } from './writing-tools'

/** Every tool of the MCP server, in the order of the list. */
export const mcpTools: readonly Tool[] = [...readingTools, ...writingTools]
