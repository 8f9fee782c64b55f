/** What a test gives in place of the framework (`testing/worlds/framework.ts`); without it the framework's own functions run. */
export interface Given {
  headers?: () => Headers
  after?: (task: () => Promise<unknown>) => void
}

export const given: Given = {}
