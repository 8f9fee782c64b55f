import { defineConfig } from 'vitest/config'

// the suite of LangGraph takes `describe` and `it` from the globals
export default defineConfig({ test: { globals: true } })
