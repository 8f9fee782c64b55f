/** Asks the server behind the tests (`serve-pages.ts`). */
async function ask(kind: 'act' | 'action', name: string, input: object) {
  const response = await fetch(`/__page/${kind}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const answer = await response.json()
  if (answer && 'error' in answer) throw new Error(`${name}: ${answer.error}`)
  return answer
}

/** What only tests ask for: the data of a page, a chat to begin with, what the model says. */
export const act = (name: string, input: object = {}) => ask('act', name, input)

/** A server action of the product. */
export const action = (name: string, input: object) => ask('action', name, input)
