/** A conversation to plant: messages by key, so that branches and checkpoints can point at them. */
export interface SampleScript {
  title: string
  opensOn: string
  branches: SampleBranch[]
  checkpoints: { name: string; at: string }[]
}

export interface SampleBranch {
  name: string
  /** the message it forks from; none for the first */
  at?: string
  /** the message it asks differently */
  instead?: string
  says: [key: string, by: 'user' | 'assistant', text: string][]
}
