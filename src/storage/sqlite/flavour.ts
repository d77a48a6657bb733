import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Where the two databases differ; everything else is written once. */
export interface Flavour {
  json: ColumnDataType
  /** A primary key that counts up by itself, in the order rows arrive. */
  counter: ColumnDataType
  counting(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  hasTable(db: Kysely<unknown>, name: string): Promise<boolean>
  /** Inside a transaction: makes every other process that migrates wait for its end. */
  lockForMigration(db: Kysely<unknown>): Promise<void>
}
