import { pgSequence } from 'drizzle-orm/pg-core'

/** The last time that `clockNow` returned, in microseconds. */
export const steadyClock = pgSequence('steady_clock')
