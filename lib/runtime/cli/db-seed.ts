import { plantSample } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices } from '../services'
import { runCommand } from './run-command'

// `npm run db:seed [user id or e-mail]`: gives the sample conversation to a person, by default the latest to sign in.
runCommand(async () => {
  const { database, ports } = await createServices(process.env, { brief: true })
  try {
    const wanted = process.argv[2]
    const people = await database.orm.select().from(schema.user).orderBy(schema.user.createdAt)
    const owner = wanted
      ? people.find((person) => person.id === wanted || person.email === wanted)
      : people.at(-1)
    if (wanted && !owner) throw new Error(`There is no user "${wanted}".`)
    const ownerId = owner?.id ?? (await addOwner(database))
    const { chatId } = await plantSample(ports, ownerId)
    console.log(`The sample conversation is at /c/${chatId}, owned by ${ownerId}.`)
    if (!owner) console.log('This database had no users, so a new user owns it.')
  } finally {
    await database.close()
  }
})

async function addOwner(database: Awaited<ReturnType<typeof createServices>>['database']): Promise<string> {
  const id = newId()
  await database.orm.insert(schema.user).values({ id, name: 'Sample', email: `${id}@users.invalid` })
  return id
}
