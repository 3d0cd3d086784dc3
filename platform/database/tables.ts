import { pgSequence } from 'drizzle-orm/pg-core'

/** The last microsecond that `clockNow` told. */
export const steadyClock = pgSequence('steady_clock')
