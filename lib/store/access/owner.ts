import { type Database, schema } from '@/lib/db'

/** The person whose machine it is: a row without any way in. */
const OWNER = { id: 'owner', name: 'Owner' }

/** Addresses of earlier guests, the command line and the sample; no person has such an address. */
const NO_ADDRESS = '%@users.invalid'
/** Signing up stores a person, and then the way in: for so long a person without one is an account that is being made. */
const SIGNING_UP = '1 minute'

const hasAccounts = 'exists (select 1 from account)'
/** People with no way in, who are the owner where there are no accounts. $1 is the owner's id, $2 `NO_ADDRESS` */
const isOwnersToo = `id <> $1 and gone_at is null and not exists (select 1 from account a where a.user_id = "user".id)
  and (is_anonymous or email like $2 or created_at < clock_timestamp() - interval '${SIGNING_UP}')`

/**
 * The one person of a server that only its own machine reaches, for as long as nobody has an account there. The database
 * decides it anew each time: the first account ends it, in whatever way it was made.
 */
export class MachineOwner {
  #taking: Promise<void> = Promise.resolve()

  /**
   * @param isPossible true when the settings are those of a machine of one owner
   * @param move gives all that one person has to another, and deletes the one
   */
  constructor(
    private readonly database: Database,
    readonly isPossible: boolean,
    private readonly move: (from: string, to: string) => Promise<unknown>,
  ) {}

  /** True when every request of this machine is the owner's. */
  async isAlone(): Promise<boolean> {
    if (!this.isPossible) return false
    const [row] = await this.database.query<{ signed: boolean }>(`select ${hasAccounts} as signed`)
    return row?.signed === false
  }

  /** Chats of an owner whom no request reaches: the server was opened to others before the owner signed up. */
  async leftBehind(): Promise<number> {
    if (await this.isAlone()) return 0
    const [row] = await this.database.query<{ chats: number }>(
      'select count(*)::int as chats from chats where user_id = $1',
      [OWNER.id],
    )
    return row?.chats ?? 0
  }

  /**
   * The owner; undefined where people sign in. Without an owner one is made, and takes over what the guests of an earlier
   * version have.
   */
  async find(): Promise<{ id: string; name: string } | undefined> {
    if (!this.isPossible) return undefined
    const [row] = await this.database.query<{
      signed: boolean
      signingUp: boolean
      name: string | null
      others: boolean
    }>(
      `select ${hasAccounts} as signed, (select name from "user" where id = $1) as name,
        exists (select 1 from "user" where ${isOwnersToo}) as others,
        exists (select 1 from "user" where id <> $1 and gone_at is null and not (${isOwnersToo})) as "signingUp"`,
      [OWNER.id, NO_ADDRESS],
    )
    if (!row || row.signed) return undefined
    if (row.name !== null && !row.others) return { id: OWNER.id, name: row.name }
    // the account that is being made has just taken over all of it
    if (row.name === null && row.signingUp) return undefined
    await this.#takeOver()
    return this.find()
  }

  /** Gives all that the owner has to an account that is being made; undefined where people sign in already. */
  async giveTo(person: string): Promise<{ id: string } | undefined> {
    const owner = await this.find()
    if (owner) await this.move(owner.id, person)
    return owner
  }

  /** Makes the owner, to whom the people without a way in give what they have. One call at a time: each finds less to do. */
  #takeOver(): Promise<void> {
    const taking = this.#taking.then(async () => {
      const { id, name } = OWNER
      await this.database.orm
        .insert(schema.user)
        .values({ id, name, email: `${id}@users.invalid` })
        .onConflictDoNothing()
      const others = await this.database.query<{ id: string }>(
        `select id from "user" where ${isOwnersToo} order by created_at, id`,
        [OWNER.id, NO_ADDRESS],
      )
      for (const other of others) await this.move(other.id, id)
    })
    this.#taking = taking.catch(() => undefined)
    return taking
  }
}
