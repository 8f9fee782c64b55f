/** A server of a person, with what opens it sealed. */
export interface SealedRow {
  id: string
  name: string
  url: string
  sealed: string | null
  createdAt: number
}

/** The columns of a `SealedRow`, for the list of a select. */
export const sealedColumns = (table: string): string =>
  `${table}.id, ${table}.name, ${table}.url, ${table}.sealed, epoch_ms(${table}.created_at) as "createdAt"`
