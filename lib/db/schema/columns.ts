import { customType, text, timestamp } from 'drizzle-orm/pg-core'

/** `json` as Postgres keeps it: the text is stored as given, key order and all, and relayed without parsing. */
export const rawJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'json',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
})

export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** The id of the transaction that wrote the row; followers stay behind the oldest one still running. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const createdAt = () => instant('created_at').notNull().defaultNow()

export const chatId = () => text('chat_id').notNull()
