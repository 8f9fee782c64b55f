import type { Database } from '@/lib/db'

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

/** The rows that the nodes of a statement's plan handle, those that they throw away too. */
export async function handledRows(
  database: Pick<Database, 'query'>,
  text: string,
  params: readonly unknown[],
): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    params,
  )
  return row ? rowsOf(row['QUERY PLAN'][0].Plan) : Number.NaN
}

function rowsOf({ Plans = [], ...node }: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': joined = 0 } = node
  const own = (node['Actual Rows'] + filtered + joined) * node['Actual Loops']
  return Plans.reduce((sum, plan) => sum + rowsOf(plan), own)
}
