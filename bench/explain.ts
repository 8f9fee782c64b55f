import type { Query } from './environment'

/** What of a plan's node is looked at. */
export interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Heap Fetches'?: number
  Alias?: string
  Plans?: PlanNode[]
}

interface Explained {
  Plan: PlanNode
  'Execution Time': number
}

/** Runs a statement under EXPLAIN ANALYZE, without the clock in every node that would slow it down. */
export async function explain(query: Query, text: string, params: readonly unknown[]): Promise<Explained> {
  const rows = await query<{ 'QUERY PLAN': Explained[] | string }>(
    `explain (analyze, timing off, format json) ${text}`,
    params,
  )
  const answer = rows[0]?.['QUERY PLAN']
  const [explained] = typeof answer === 'string' ? (JSON.parse(answer) as Explained[]) : (answer ?? [])
  if (!explained) throw new Error('EXPLAIN answered nothing')
  return explained
}

/** All nodes of a plan, from the top. */
export function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}
