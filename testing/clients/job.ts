/** One reply of the scripted model: a tool that the client carries out. */
export interface Step {
  tool: string
  /** a text for a tool that takes any text (`custom` tools of responses) */
  input: object | string
  /** what the model says before it */
  words?: string
  /** the first time that it is asked the provider is overloaded */
  fails?: boolean
}

/** What the model does, by the word after `job:` in the first thing that is said to it. */
export interface Job {
  steps: Readonly<Record<string, readonly Step[]>>
  /** what the provider lists */
  models?: readonly string[]
}
