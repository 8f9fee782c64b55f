interface AskingApp {
  /** what it calls itself */
  name: string
  /** where it is told: a host, or this computer */
  place: string
}

/** What the page of consent shows. */
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
