interface AskingApp {
  /** the name that it gives itself */
  name: string
  /** the place that gets the answer: a host, or this computer */
  place: string
}

/** Content of the page of consent. */
export type AskedConsent =
  | {
      kind: 'asked'
      app: AskingApp
      /** the request, as it is sent again with the answer */
      query: string
      scopes: ('read' | 'write')[]
      refusedAt: string
    }
  | { kind: 'refused'; app: AskingApp; problem: string; back: string }
  | { kind: 'broken'; problem: string }
