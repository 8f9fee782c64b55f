import { checkDatabase, findingLine, rebuild } from '@/lib/store'

/** What is wrong in the rows of a chat: broken ones, and refs that are not what the log tells. */
export async function findingsIn(
  { database }: { database: Parameters<typeof checkDatabase>[0] },
  chatId: string,
) {
  const findings = (await checkDatabase(database, { chatId })).map(findingLine)
  const { differences } = await rebuild(database, { chatId, dry: true })
  return differences === 0 ? findings : [...findings, `${differences} differences from the log`]
}
